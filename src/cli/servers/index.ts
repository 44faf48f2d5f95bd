export { loadConfig, openServers, startServers } from './configured-servers.ts';
export { groupOf, type KnownTool, knownTools } from './known-tools.ts';
export { openListed } from './listed-servers.ts';
export { requiredConfig } from './required-config.ts';
