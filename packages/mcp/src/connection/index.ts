export { keptListing, type ListedTool, type ServerListing } from './listing.ts';
export {
  type ClientHandlers,
  ConnectError,
  DEFAULT_CONNECT_TIMEOUT,
  type LiveCallOptions,
  type LiveConnection,
  type OpenConnectionOptions,
  openConnection,
} from './live-connection.ts';
export type { KnownRevision } from './negotiate.ts';
export { keptLists, type OtherLists } from './other-lists.ts';
