export {
  ALWAYS_LOAD_TOKENS,
  type ExposureRules,
  isAppOnly,
  type Placement,
  placementOf,
  type RuleList,
  ruleList,
} from './exposure.ts';
export { type Addressed, matches, matchesTool, mayMatchIn } from './glob.ts';
export {
  everything,
  except,
  intersect,
  type Role,
  type View,
  viewOf,
  viewOfGlobs,
} from './view.ts';
