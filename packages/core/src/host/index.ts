export {
  type CallObserver,
  type ExecutedCall,
  execute,
  isAsyncIterable,
  lastOf,
  type RunWith,
} from './execute.ts';
export { type Hide, heldOutput, hidden } from './held-output.ts';
export {
  type AfterToolCall,
  type BeforeToolCall,
  type HookedCall,
  Hooks,
  type ResolveToolCall,
  type ToolHooks,
} from './hooks.ts';
export { asJson, inputText, isJson, isReadable } from './input-text.ts';
export { CallLife } from './life.ts';
export {
  type Approval,
  askerOf,
  type CallRecord,
  type FindSetting,
  type HostCall,
  type HostView,
  isFromModel,
  type Permit,
  type Setting,
  type UserApproval,
} from './records.ts';
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
  type isDigestOf,
  KEY,
  readBinding,
  readInput,
  readRound,
  readStamp,
  type Stamp,
  wireInput,
  withoutStamp,
} from './stamp.ts';
export { type CallOutcome, type CallVerdict, copyOf, kindOf } from './verdict.ts';
