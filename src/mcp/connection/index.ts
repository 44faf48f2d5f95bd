export { keptListing, type ListedTool, type ServerListing } from './listing.ts';
export {
  type ClientHandlers,
  ConnectError,
  DEFAULT_CONNECT_TIMEOUT,
  type LiveConnection,
  type OpenOptions,
  openConnection,
  type SendOptions,
} from './live-connection.ts';
export type { KnownRevision } from './negotiate.ts';
