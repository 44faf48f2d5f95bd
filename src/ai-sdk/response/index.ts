export type { ArrivalOptions } from './call-arrivals.ts';
export { Incoming } from './incoming.ts';
export { rewriteStream } from './stream.ts';
