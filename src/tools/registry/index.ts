export {
  ALWAYS_LOAD_TOKENS,
  type ExposureRules,
  isAppOnly,
  type Placement,
  placementOf,
  ruleList,
} from './exposure.ts';
export type { Hit } from './finder.ts';
export { type Addressed, matches, matchesTool, mayMatchIn, mayMatchTool } from './glob.ts';
export { type LoaderCache, Loads } from './loads.ts';
export { areMeant, looseGlobs } from './loose-globs.ts';
export type { GroupRecord, Registry } from './registry.ts';
export { type ResolvedTool, Toolbox } from './toolbox.ts';
export {
  everything,
  except,
  intersect,
  type Role,
  type View,
  viewOf,
  viewOfGlobs,
} from './view.ts';
