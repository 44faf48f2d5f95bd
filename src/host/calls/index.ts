export {
  ARGUMENTS_CHANGED,
  AS_WRITTEN,
  approvalNeeded,
  callAgain,
  cannotRun,
  changedInput,
  codeOf,
  denied,
  errorOf,
  NOT_ASKED,
  namesTwoTools,
  notActive,
  notStable,
  type Refusal,
  TOOL_CHANGED,
  textOf,
  whatRuns,
} from './answer.ts';
export { type Asker, askerOf, noteAsker, UNKNOWN_ASKER } from './asker.ts';
export { asJson, inputText, isJson, isReadable, projectedText } from './input-text.ts';
export { inKeyOrder, type KeyOrders, keyOrdersOf, readKeyOrders } from './key-order.ts';
export { EnvelopePeeler } from './peel.ts';
export {
  answerOf,
  callDigest,
  type Digests,
  isDigestOf,
  KEY,
  readBinding,
  readInput,
  readRound,
  readStamp,
  rebindStamp,
  type Stamp,
  wireInput,
  withoutStamp,
} from './stamp.ts';
export {
  isRefusal,
  lateCall,
  lateSubject,
  plainSubject,
  resolveNow,
  type Subject,
} from './subject.ts';
