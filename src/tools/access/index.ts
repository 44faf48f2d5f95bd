export {
  ALWAYS_LOAD_TOKENS,
  type ExposureRules,
  isAppOnly,
  type Placement,
  placementOf,
  type RuleList,
  ruleList,
} from './exposure.ts';
export { type Addressed, matches, matchesTool, mayMatchIn, mayMatchTool } from './glob.ts';
export { areMeant, looseGlobs } from './loose-globs.ts';
export {
  everything,
  except,
  intersect,
  type Role,
  type View,
  viewOf,
  viewOfGlobs,
} from './view.ts';
