export type {
  AfterToolCall,
  BeforeToolCall,
  CallObserver,
  CallOutcome,
  CallVerdict,
  ExecutedCall,
  HookedCall,
  ResolveToolCall,
  ToolHooks,
} from '../host/index.ts';
export type { AppApproval, AppApprovalQuestion, ApprovalQuestion } from './app-approval.ts';
export { createFold } from './fold.ts';
export type {
  Ceiling,
  Fold,
  FoldFields,
  FoldOptions,
  FoldTools,
  SdkToolGroup,
  WithOptions,
} from './fold-options.ts';
export { NOTE_KIND } from './note-part.ts';
export type { RequestEvent } from './request.ts';
export type { RequestTokens } from './request-tokens.ts';
export type { ChoosePreload, Notice, PreloadTurn, TurnView } from './tail.ts';
export type { ToolApproval } from './tool-approval.ts';
