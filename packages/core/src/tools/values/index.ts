export { bytesUpTo } from './bytes.ts';
export { checksum } from './checksum.ts';
export {
  exactJson,
  firstBig,
  inexactNumber,
  roundedNumber,
  withBigints,
  withDigits,
  withMarks,
} from './exact-numbers.ts';
export { formatCount, formatNumber } from './format-number.ts';
export { fingerprint, hashText } from './hash.ts';
export { type InOrder, queueOfWork } from './in-order.ts';
export {
  amountIn,
  byCodePoint,
  canonicalJson,
  frozenCopy,
  isFiniteAmount,
  isRecord,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  listIn,
  mapTexts,
  ownProperties,
  ownProperty,
  parsedJson,
  pick,
} from './json.ts';
export { areSameLists, LastList, sameStart } from './last-list.ts';
export { isTooDeep, MAX_NESTING, measureNesting } from './nesting.ts';
export { onDemand } from './on-demand.ts';
export { oncePerKey } from './once-each.ts';
export {
  asSentence,
  firstSentence,
  oneLine,
  plainCount,
  plainLine,
  truncate,
  visibleText,
} from './plain-text.ts';
export { raceAbort } from './race-abort.ts';
export { getOrMake, Recent } from './recent.ts';
export { isPlain, isSnapshotOf, type Snapshot, snapshotOf } from './snapshot.ts';
