export { loadConfig, startServers } from './configured-servers.ts';
export { type OpenedServers, openServers, PATIENCE } from './open-servers.ts';
export { requiredConfig } from './required-config.ts';
