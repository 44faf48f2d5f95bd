export {
  type ConnectionState,
  type ConnectOptions,
  connectServer,
  DEFAULT_CONNECT_TIMEOUT,
  type ServerConnection,
  type SettledState,
} from './connection.ts';
export { type ListedTool, type ServerListing, sortOut } from './listing.ts';
export { VERSION } from './version.ts';
