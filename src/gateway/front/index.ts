export { Client, type ClientHost } from './client.ts';
export type { Handle, Incoming, Outlet } from './incoming.ts';
export {
  type Era,
  hasEnvelope,
  IDENTITY,
  MODERN,
  metaOf,
  passedOn,
  readEnvelope,
  SERVER_INFO,
} from './revision.ts';
export * from './rpc-error.ts';
export { serveStreams } from './stdio.ts';
