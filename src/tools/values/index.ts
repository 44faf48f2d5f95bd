export { checksum } from './checksum.ts';
export { figure, quantity } from './figure.ts';
export { fingerprint, hashText } from './hash.ts';
export { type InOrder, inOrder } from './in-order.ts';
export {
  byCodePoint,
  canonicalJson,
  frozenCopy,
  isAmount,
  isRecord,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  listIn,
  own,
  parsedJson,
} from './json.ts';
export { isTooDeep, MAX_NESTING, weigh } from './nesting.ts';
export { onDemand } from './on-demand.ts';
export { onceEach } from './once-each.ts';
export {
  counted,
  cut,
  firstSentence,
  oneLine,
  plainLine,
  sentence,
  visibleText,
} from './plain-text.ts';
export { raceAbort } from './race-abort.ts';
export { Recent, remember } from './recent.ts';
