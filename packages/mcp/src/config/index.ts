export type {
  HttpServerEntry,
  Lifecycle,
  OAuthEntry,
  Protocol,
  ServerEntry,
  StdioServerEntry,
  ToolfoldConfig,
  TransportServerEntry,
  UnusableServerEntry,
  UsableEntry,
} from './config.ts';
export {
  type FoundConfig,
  findConfigs,
  type LoadFoundOptions,
  loadFoundConfigs,
  type ProjectEntry,
} from './find-configs.ts';
export { blockIn, parseConfig, type ReadConfigOptions, readConfig } from './read-config.ts';
export { transportOf } from './server-entry.ts';
