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
} from '@toolfold/core/internal/host';
export type { CacheAsked } from './caching/index.ts';
export { createFold } from './fold.ts';
export { NOTE_KIND } from './metadata/index.ts';
export type {
  Ceiling,
  Fallback,
  Fold,
  FoldExplanation,
  FoldFields,
  FoldOptions,
  FoldTools,
  LiveGroups,
  LoadsIn,
  SdkToolGroup,
  WithOptions,
} from './options/index.ts';
export type {
  ChoosePreload,
  EpochBegun,
  MessageHistory,
  Notice,
  PreloadTurn,
  RequestEvent,
  RequestTokens,
  SchemaSource,
  Segment,
  SegmentLabel,
  ToolsChanged,
  TurnView,
} from './request/index.ts';
export { stepMessages } from './request/index.ts';
export type {
  AppApproval,
  AppApprovalQuestion,
  ApprovalQuestion,
  ToolApproval,
} from './tool-set/index.ts';
