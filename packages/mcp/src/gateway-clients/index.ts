export type { Caller, Client, ClientHost, ClientRequest, ServerRequest } from './client.ts';
export { isLoopback } from './http-headers.ts';
export { GRACE, serveHttp } from './http-server.ts';
export {
  IDENTITY,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  MODERN,
  metaOf,
  passedOn,
  RpcError,
  SERVER_INFO,
} from './messages.ts';
export { serveStreams } from './stdio.ts';
