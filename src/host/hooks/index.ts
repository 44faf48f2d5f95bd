export { consultHooks, type HookOutcome } from './consult-hooks.ts';
export { execute, isAsyncIterable, lastOf, type RunWith } from './execute.ts';
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
export type { CallObserver, ExecutedCall } from './observers.ts';
