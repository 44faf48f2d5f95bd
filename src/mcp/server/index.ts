export type { CallOptions } from './call-options.ts';
export type { PoolEvent } from './events.ts';
export { ServerConnection } from './server-connection.ts';
export { Slots } from './slots.ts';
export type { ConnectionState } from './state.ts';
export { statusOf } from './status.ts';
