export { readdressed } from './resource-addresses.ts';
export { type Place, readUnlisted } from './resource-owners.ts';
export { KnownServers, ServerLists } from './server-lists.ts';
export { changedLists, type ListKind, PassedTools } from './shown-tools.ts';
export { calledTool, type Mode, statesOf, textOf, uriOf, View, type ViewOptions } from './view.ts';
