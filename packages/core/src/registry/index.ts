export type { Hit } from './finder.ts';
export { type LoaderCache, Loads } from './loads.ts';
export type { GroupRecord, Registry } from './registry.ts';
export { type ResolvedTool, Toolbox } from './toolbox.ts';
export {
  ALWAYS_LOAD_TOKENS,
  type ExposureRules,
  everything,
  intersectViews,
  isAppOnly,
  placementOf,
  type Role,
  type RuleList,
  ruleList,
  type View,
  viewOf,
  viewOfGlobs,
  viewWithout,
} from './view.ts';
