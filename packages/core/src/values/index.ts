export {
  exactJson,
  firstBig,
  inexactNumber,
  roundedNumber,
  withBigints,
  withDigits,
  withMarks,
} from './exact-numbers.ts';
export {
  bytesIn,
  bytesUpTo,
  checksum,
  fileLine,
  fileTokens,
  isKnownType,
  MAX_FILE,
  mediaTypeOf,
  NOT_SHOWN,
} from './files.ts';
export {
  type Addressed,
  findMatch,
  looseGlobs,
  matchesGlob,
  matchesTool,
  mayMatchIn,
  mayMatchTool,
  mustMatch,
} from './glob.ts';
export {
  amountIn,
  byCodePoint,
  canonicalJson,
  frozenCopy,
  isFiniteAmount,
  isRecord,
  isTooDeep,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  listIn,
  MAX_NESTING,
  mapTexts,
  measureNesting,
  ownProperties,
  ownProperty,
  parsedJson,
  pick,
} from './json.ts';
export {
  checkKnown,
  checkValues,
  fixedOptions,
  type KnownOptions,
  mostSimilar,
  type OptionCheck,
} from './known-options.ts';
export {
  type InOrder,
  onDemand,
  queueOfWork,
  raceAbort,
  retryAfterIn,
  within,
} from './promises.ts';
export { getOrMake, oncePerKey, Recent } from './recent.ts';
export { sharedByContent } from './shared.ts';
export {
  areSameLists,
  isPlainJson,
  isSnapshotOf,
  LastList,
  type Snapshot,
  sameStart,
  snapshotOf,
} from './snapshot.ts';
export {
  asSentence,
  firstSentence,
  formatCount,
  formatNumber,
  oneLine,
  plainCount,
  plainLine,
  truncate,
  visibleText,
} from './text.ts';
