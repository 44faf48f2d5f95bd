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
export { keptLists, type OtherLists } from './other-lists.ts';
export {
  type Addressee,
  AnsweredError,
  type RawHandler,
  type RawOptions,
  type ServerMessage,
} from './raw-channel.ts';
