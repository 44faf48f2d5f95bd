export {
  ALWAYS_LOAD_TOKENS,
  type ExposureRules,
  isAppOnly,
  type Placement,
  placementOf,
  ruleList,
} from './exposure.ts';
export type { Hit } from './finder.ts';
export { type Addressed, matchesGlob, matchesTool, mayMatchIn, mayMatchTool } from './glob.ts';
export { type LoaderCache, Loads } from './loads.ts';
export { looseGlobs, mustMatch } from './loose-globs.ts';
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
