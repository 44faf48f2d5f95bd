export {
  ARGUMENTS_CHANGED,
  approvalNeeded,
  callAgain,
  cannotRun,
  codeOf,
  denied,
  errorOf,
  NOT_ASKED,
  namesTwoTools,
  notActive,
  type Refusal,
  TOOL_CHANGED,
  textOf,
} from './answer.ts';
export { type Arrival, Arrivals } from './arrivals.ts';
export { type Asker, askerOf, noteAsker, UNKNOWN_ASKER } from './asker.ts';
export { inputText } from './input-text.ts';
export { inKeyOrder, type KeyOrders, keyOrdersOf, readKeyOrders } from './key-order.ts';
export { EnvelopePeeler } from './peel.ts';
export {
  answerOf,
  callDigest,
  KEY,
  readBinding,
  readInput,
  readRound,
  readStamp,
  type Stamp,
  wireInput,
  withoutStamp,
} from './stamp.ts';
export { isRefusal, lateSubject, plainSubject, resolveNow, type Subject } from './subject.ts';
