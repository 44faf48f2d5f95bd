export { ServerConnection } from './server-connection.ts';
export { Slots } from './slots.ts';
export type { ConnectionState } from './state.ts';
export { type PoolEvent, type ServerStatus, statusOf } from './status.ts';
export type { CallOptions } from './work.ts';
