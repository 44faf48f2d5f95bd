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
export { NOTE_KIND } from './metadata/index.ts';
export { FOLD_OPTIONS } from './options-check.ts';
export type {
  ChoosePreload,
  Notice,
  PreloadTurn,
  RequestEvent,
  RequestTokens,
  TurnView,
} from './request/index.ts';
export type {
  AppApproval,
  AppApprovalQuestion,
  ApprovalQuestion,
  ToolApproval,
} from './tool-set/index.ts';
