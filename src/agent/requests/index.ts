export { type PrefixBreak, prefixBreak } from './prefix-break.ts';
export { RequestLog, type Sender } from './request-log.ts';
