export { KnownServers } from './known-servers.ts';
export { ServerLists } from './server-lists.ts';
export { type Mode, stateOf, textOf, View, type ViewOptions } from './view.ts';
