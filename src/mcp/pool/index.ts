export { type ConnectServersOptions, connectServers } from './connect-servers.ts';
export type { PoolOptions, ReadyOptions, ServerPool, ServerSession } from './contract.ts';
export { createServerPool } from './pool.ts';
