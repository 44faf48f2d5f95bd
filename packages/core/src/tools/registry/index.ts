export {
  ALWAYS_LOAD_TOKENS,
  type ExposureRules,
  isAppOnly,
  placementOf,
  type RuleList,
  ruleList,
} from './exposure.ts';
export type { Hit } from './finder.ts';
export { type LoaderCache, Loads } from './loads.ts';
export { type KnownTools, type NamedTools, namedTools } from './named-tools.ts';
export type { GroupRecord, Registry } from './registry.ts';
export { type ResolvedTool, Toolbox } from './toolbox.ts';
export {
  everything,
  intersectViews,
  type Role,
  type View,
  viewOf,
  viewOfGlobs,
  viewWithout,
} from './view.ts';
