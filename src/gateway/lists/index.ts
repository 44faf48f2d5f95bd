export { calledTool } from './called-tool.ts';
export { KnownServers } from './known-servers.ts';
export { ServerLists } from './server-lists.ts';
export { type Mode, statesOf, textOf, View, type ViewOptions } from './view.ts';
