export type {
  ApprovalMode,
  ApprovalSettings,
  CategorySetting,
  CategorySettings,
  ModelSettings,
  RoleSettings,
  RoutingMode,
  SamplingSettings,
  ServerSettings,
  StrategySetting,
  SubagentSettings,
  TokenPrice,
  ToolfoldSettings,
} from '@toolfold/config/internal/config';
export { type Captures, readCaptures, saveCapture } from './captures.ts';
export type { ConfigPlace, FindConfigsOptions } from './clients/index.ts';
export {
  type FoundConfig,
  findConfigs,
  type HttpServerEntry,
  type LoadFoundOptions,
  loadFoundConfigs,
  type OAuthEntry,
  type ProjectEntry,
  parseConfig,
  type ReadConfigOptions,
  readConfig,
  type ServerEntry,
  type StdioServerEntry,
  type ToolfoldConfig,
  type TransportServerEntry,
  type UnusableServerEntry,
} from './config/index.ts';
export type { ListedTool, OtherLists, ServerListing } from './connection/index.ts';
export {
  type CallTool,
  type GroupOptions,
  toGroup,
  toUnavailableGroup,
} from './groups/index.ts';
export {
  type AuthProviderOptions,
  authProviderFor,
  canLogIn,
  finishLogin,
  type LoginAuth,
  type LoginContextOptions,
  type LoginOptions,
  type LoginResult,
  type LogoutOptions,
  type LogoutResult,
  login,
  loginNeeded,
  logout,
  type PastedAnswers,
} from './login/index.ts';
export {
  type Manifest,
  type ManifestFilesOptions,
  type ManifestStore,
  manifestFiles,
} from './manifest/index.ts';
export {
  type ConnectServersOptions,
  connectServers,
  createServerPool,
  type FollowOptions,
  followConfig,
  type PoolOptions,
  type ReadyOptions,
  type ServerPool,
  type ServerSession,
} from './pool/index.ts';
export type { Relay, RequestOptions } from './requests/index.ts';
export { hideSecrets } from './secrets/index.ts';
export type {
  CallOptions,
  ConnectionState,
  PoolEvent,
  ServerConnection,
  ServerStatus,
} from './server/index.ts';
export type {
  Addressee,
  Failure,
  HttpAuth,
  LoginNeeded,
  ServerMessage,
  ServerQuestion,
} from './transport/index.ts';
