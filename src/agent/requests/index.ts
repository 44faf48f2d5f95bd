export { type Announcing, announce } from './announce.ts';
export { RequestLog } from './request-log.ts';
