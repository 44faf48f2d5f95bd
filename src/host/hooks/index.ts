export { copyOf } from './arguments.ts';
export { consultHooks, type HookOutcome } from './consult-hooks.ts';
export type { CallObserver, ExecutedCall } from './execute.ts';
export { execute, isAsyncIterable, lastOf, type RunWith } from './execute.ts';
export { Hooks } from './hooks.ts';
export type {
  AfterToolCall,
  BeforeToolCall,
  HookedCall,
  ResolveToolCall,
  ToolHooks,
} from './tool-hooks.ts';
export type { CallOutcome, CallVerdict } from './verdict.ts';
