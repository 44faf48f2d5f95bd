export type { PoolEvent } from './events.ts';
export { type CallOptions, ServerConnection } from './server-connection.ts';
export { Slots } from './slots.ts';
export type { ConnectionState } from './state.ts';
export { statusOf } from './status.ts';
