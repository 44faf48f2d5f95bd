export { withClientServers } from './client-servers.ts';
