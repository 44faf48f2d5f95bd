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
} from './config.ts';
export {
  type ConfigPlace,
  configPlaces,
  type FindConfigsOptions,
  foldersOf,
  placeAt,
} from './config-places.ts';
export { type FoundConfig, findConfigs, loadFoundConfigs } from './find-configs.ts';
export { inheritedEnvironment } from './inherited-environment.ts';
export { parseConfig, type ReadConfigOptions, readConfig, workspaceOf } from './read-config.ts';
export { watchFiles } from './watch-files.ts';
