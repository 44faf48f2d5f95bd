export { loadConfig, openServers, startServers } from './configured-servers.ts';
