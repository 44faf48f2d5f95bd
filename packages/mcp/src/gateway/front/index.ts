export {
  type Caller,
  Client,
  type ClientHost,
  type Incoming,
  type Outlet,
  type Question,
} from './client.ts';
export { readMessage } from './read-message.ts';
export {
  hasEnvelope,
  IDENTITY,
  MODERN,
  metaOf,
  passedOn,
  SERVER_INFO,
} from './revision.ts';
export {
  errorFor,
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  RpcError,
} from './rpc-error.ts';
export { serveStreams } from './stdio.ts';
