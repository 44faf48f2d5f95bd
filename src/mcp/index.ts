export type { Captures } from './captures.ts';
export { readCaptures, saveCapture } from './captures.ts';
export type {
  ApprovalSettings,
  CategorySetting,
  HttpServerEntry,
  ModelSettings,
  PriceSettings,
  RoleSettings,
  RoutingSetting,
  ServerEntry,
  StdioServerEntry,
  StrategySetting,
  SubagentSettings,
  ToolfoldConfig,
  ToolfoldSettings,
  TransportServerEntry,
  UnusableServerEntry,
} from './config.ts';
export type {
  ConnectionState,
  ConnectOptions,
  ServerConnection,
  SettledState,
} from './connection.ts';
export { connectServer, DEFAULT_CONNECT_TIMEOUT } from './connection.ts';
export type { Failure } from './failure.ts';
export type { ConfigPlace, FindConfigsOptions, FoundConfig } from './find-configs.ts';
export { findConfigs, loadFoundConfigs } from './find-configs.ts';
export type { CallTool, GroupOptions } from './group.ts';
export { toGroup, toUnavailableGroup } from './group.ts';
export type { ListedTool, ServerListing } from './listing.ts';
export type { ReadConfigOptions } from './read-config.ts';
export { parseConfig, readConfig } from './read-config.ts';
export type { ConnectedServers, ConnectServersOptions, ServerStatus } from './servers.ts';
export { connectServers } from './servers.ts';
