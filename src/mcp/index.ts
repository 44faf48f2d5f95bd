export { type Captures, readCaptures, saveCapture } from './captures.ts';
export {
  type ApprovalSettings,
  type CategorySetting,
  type ConfigPlace,
  type FindConfigsOptions,
  type FoundConfig,
  findConfigs,
  type HttpServerEntry,
  loadFoundConfigs,
  type ModelSettings,
  type PriceSettings,
  parseConfig,
  type ReadConfigOptions,
  type RoleSettings,
  type RoutingSetting,
  readConfig,
  type ServerEntry,
  type StdioServerEntry,
  type StrategySetting,
  type SubagentSettings,
  type ToolfoldConfig,
  type ToolfoldSettings,
  type TransportServerEntry,
  type UnusableServerEntry,
} from './config/index.ts';
export {
  type ConnectionState,
  type ConnectOptions,
  connectServer,
  DEFAULT_CONNECT_TIMEOUT,
  type ListedTool,
  type ServerConnection,
  type ServerListing,
  type SettledState,
} from './connection/index.ts';
export { type CallTool, type GroupOptions, toGroup, toUnavailableGroup } from './group.ts';
export {
  type ConnectedServers,
  type ConnectServersOptions,
  connectServers,
  type ServerStatus,
} from './servers.ts';
export type { Failure } from './transport/index.ts';
