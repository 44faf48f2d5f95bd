export type { Hit } from './finder.ts';
export { type LoaderCache, Loads } from './loads.ts';
export { type GroupRecord, Registry } from './registry.ts';
export { type ResolvedTool, Toolbox } from './toolbox.ts';
