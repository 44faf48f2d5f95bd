export { type ConnectServersOptions, connectServers } from './connect-servers.ts';
export type { PoolOptions, ReadyOptions, ServerPool, ServerSession } from './contract.ts';
export type { PoolEvent } from './events.ts';
export { createServerPool } from './pool.ts';
export { type CallOptions, ServerConnection } from './server-connection.ts';
export type { ConnectionState } from './state.ts';
