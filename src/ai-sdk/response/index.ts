export type { ArrivalOptions } from './call-arrivals.ts';
export { CallIds } from './call-ids.ts';
export { Incoming, type IncomingOptions } from './incoming.ts';
export { rewriteParts } from './stream.ts';
