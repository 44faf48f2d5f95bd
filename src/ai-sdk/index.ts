export { createFold } from './fold.ts';
export type {
  Ceiling,
  Fold,
  FoldOptions,
  FoldTools,
  SdkToolGroup,
  WithOptions,
} from './fold-options.ts';
export type {
  AfterToolCall,
  BeforeToolCall,
  CallOutcome,
  CallVerdict,
  HookedCall,
  ResolveToolCall,
  ToolHooks,
} from './hooks.ts';
export { NOTE_KIND } from './note-part.ts';
export type { RequestEvent } from './request.ts';
export type { RequestTokens } from './request-tokens.ts';
export type { ChoosePreload, Notice, PreloadTurn, TurnView } from './tail.ts';
