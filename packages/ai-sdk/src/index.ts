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
export {
  type Ceiling,
  createFold,
  type Fallback,
  type Fold,
  type FoldExplanation,
  type FoldFields,
  type FoldOptions,
  type FoldTools,
  type LiveGroups,
  type LoadsIn,
  type SdkToolGroup,
  type WithOptions,
} from './fold/index.ts';
export {
  type BridgePartType,
  type BridgeUITools,
  isBridgePart,
  NOTE_KIND,
  stepMessages,
} from './messages/index.ts';
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
export type {
  AppApproval,
  AppApprovalQuestion,
  ApprovalQuestion,
  ToolApproval,
} from './tool-set/index.ts';
