export { type MergedServers, withClientServers } from './client-servers.ts';
export { openSessionServers, type SessionServerOptions } from './session-servers.ts';
