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
export { type FoundConfig, findConfigs, loadFoundConfigs } from './find-configs.ts';
export { inheritedEnvironment } from './inherited-environment.ts';
export {
  parseConfig,
  type ReadConfigOptions,
  readConfig,
} from './read-config.ts';
