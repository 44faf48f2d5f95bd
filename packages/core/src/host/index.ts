export { copyOf } from './arguments.ts';
export {
  type CallObserver,
  type ExecutedCall,
  execute,
  isAsyncIterable,
  lastOf,
  type RunWith,
} from './execute.ts';
export { heldOutput } from './held-output.ts';
export { type Hide, hidden } from './hidden.ts';
export type {
  AfterToolCall,
  BeforeToolCall,
  HookedCall,
  ResolveToolCall,
  ToolHooks,
} from './hooks.ts';
export { Hooks } from './hooks.ts';
export { CallLife } from './life.ts';
export { kindOf } from './read-answer.ts';
export type {
  Approval,
  CallRecord,
  FindSetting,
  HostCall,
  HostView,
  Permit,
  Setting,
  UserApproval,
} from './record.ts';
export { askerOf } from './records.ts';
export {
  callAgain,
  cannotRun,
  changedInput,
  codeOf,
  denied,
  errorOf,
  notActive,
  type Refusal,
  textOf,
} from './refusal.ts';
export {
  lateCall,
  plainCall,
  type ResolvedCall,
  resolveCall,
  resolveNow,
  type Step,
} from './resolve.ts';
export {
  answerOf,
  callDigest,
  isDigestOf,
  KEY,
  readBinding,
  readInput,
  readRound,
  readStamp,
  type Stamp,
  wireInput,
  withoutStamp,
} from './stamp.ts';
export type { CallOutcome, CallVerdict } from './verdict.ts';
