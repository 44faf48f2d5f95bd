export type {
  ApprovalMode,
  ApprovalSettings,
  CategorySetting,
  CategorySettings,
  ModelSettings,
  RoleSettings,
  RoutingMode,
  ServerSettings,
  StrategySetting,
  SubagentSettings,
  TokenPrice,
  ToolfoldSettings,
} from '../config/index.ts';
export { type Captures, readCaptures, saveCapture } from './captures.ts';
export {
  type ConfigPlace,
  type FindConfigsOptions,
  type FoundConfig,
  findConfigs,
  type HttpServerEntry,
  loadFoundConfigs,
  type OAuthEntry,
  parseConfig,
  type ReadConfigOptions,
  readConfig,
  type ServerEntry,
  type StdioServerEntry,
  type ToolfoldConfig,
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
  type AuthProviderOptions,
  authProviderFor,
  canLogIn,
  finishLogin,
  type LoginAuth,
  type LoginContextOptions,
  type LoginNeeded,
  type LoginOptions,
  type LoginResult,
  type LogoutOptions,
  type LogoutResult,
  login,
  loginNeeded,
  logout,
} from './login/index.ts';
export {
  type ConnectedServers,
  type ConnectServersOptions,
  connectServers,
  type ServerStatus,
} from './servers.ts';
export type { Failure, HttpAuth } from './transport/index.ts';
