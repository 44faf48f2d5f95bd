export { loadConfig, startServers } from './configured-servers.ts';
