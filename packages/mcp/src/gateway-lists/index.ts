export { readdressed } from './resource-addresses.ts';
export { type RouteTarget, readUnlisted } from './resource-owners.ts';
export { KnownServers, ServerLists } from './server-lists.ts';
export { changedLists, type ListKind, PassedTools } from './shown-tools.ts';
export {
  calledTool,
  GatewayView,
  type Mode,
  statesOf,
  textOf,
  uriOf,
  type ViewOptions,
} from './view.ts';
