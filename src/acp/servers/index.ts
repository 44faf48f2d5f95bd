export { openSessionServers } from './session-servers.ts';
