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
  entriesOf,
  type FoundConfig,
  findConfigs,
  type LoadFoundOptions,
  loadFoundConfigs,
  type ProjectEntry,
} from './find-configs.ts';
export { inheritedEnvironment } from './inherited-environment.ts';
export {
  blockHash,
  declared,
  parseConfig,
  type ReadConfigOptions,
  readConfig,
} from './read-config.ts';
export { transportOf } from './server-entry.ts';
