export { CallIds } from './call-ids.ts';
export { Incoming, type IncomingOptions } from './incoming.ts';
export { rewriteParts } from './stream.ts';
