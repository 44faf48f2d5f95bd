export { loadConfig, startServers } from './configured-servers.ts';
export { groupOf, type KnownTool, knownTools } from './known-tools.ts';
export { type OpenedServers, openServers, PATIENCE } from './open-servers.ts';
export { requiredConfig } from './required-config.ts';
