export { type Announcing, announce, RequestLog } from './request-log.ts';
