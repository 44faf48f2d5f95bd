export { type Captures, readCaptures, saveCapture } from './captures.ts';
export {
  type ConnectServersOptions,
  connectServers,
  type FollowOptions,
  followConfig,
} from './connect-servers.ts';
export type { PoolOptions, ReadyOptions, ServerPool, ServerSession } from './contract.ts';
export { createServerPool } from './pool.ts';
