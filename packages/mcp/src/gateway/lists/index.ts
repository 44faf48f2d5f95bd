export { KnownServers } from './known-servers.ts';
export { changedLists, type ListKind, PassedTools } from './passed-tools.ts';
export { ServerLists } from './server-lists.ts';
export { calledTool, type Mode, statesOf, textOf, uriOf, View, type ViewOptions } from './view.ts';
