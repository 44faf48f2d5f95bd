export { CallIds } from './call-ids.ts';
export { givesText } from './given-text.ts';
export { Incoming, type IncomingOptions } from './incoming.ts';
export { rewriteParts } from './stream.ts';
