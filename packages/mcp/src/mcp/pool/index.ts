export { type ConnectServersOptions, connectServers } from './connect-servers.ts';
export type { PoolOptions, ReadyOptions, ServerPool, ServerSession } from './contract.ts';
export { type FollowOptions, followConfig } from './follow-config.ts';
export { createServerPool } from './pool.ts';
