export { type CallOptions, Slots } from './calls.ts';
export {
  type CallTool,
  type GroupOptions,
  notUsable,
  toGroup,
  toUnavailableGroup,
} from './group.ts';
export {
  type Manifest,
  type ManifestFilesOptions,
  type ManifestStore,
  manifestFiles,
  manifestKey,
  manifestOf,
} from './manifest.ts';
export { ServerConnection } from './server-connection.ts';
export { type ConnectionState, type PoolEvent, type ServerStatus, statusOf } from './state.ts';
