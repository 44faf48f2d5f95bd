export {
  approvalNeeded,
  callAgain,
  cannotRun,
  codeOf,
  errorOf,
  NOT_ASKED,
  namesTwoTools,
  notActive,
  type Refusal,
  textOf,
} from './answer.ts';
export type { Arrival } from './arrivals.ts';
export { execute, isAsyncIterable, lastOf } from './execute.ts';
export {
  type AfterToolCall,
  type BeforeToolCall,
  type CallOutcome,
  type CallVerdict,
  type HookedCall,
  Hooks,
  type ResolveToolCall,
  type ToolHooks,
} from './hooks.ts';
export { inputText } from './input-text.ts';
export type { CallObserver, ExecutedCall } from './observers.ts';
export { EnvelopePeeler, type PeelEvent } from './peel.ts';
export type { Answer, Permit, Ticket } from './permit.ts';
export type { Approval, FindSetting, PointCall, PolicyOptions, Setting } from './point.ts';
export { Policy } from './policy.ts';
export {
  aboutOf,
  answerOf,
  KEY,
  readBinding,
  readInput,
  readStamp,
  type Stamp,
  wireInput,
  withoutStamp,
} from './stamp.ts';
export { isRefusal, lateSubject, plainSubject, resolveNow, type Subject } from './subject.ts';
