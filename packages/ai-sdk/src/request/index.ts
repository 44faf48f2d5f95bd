export {
  countPrompt,
  type EpochBegun,
  LastSent,
  plainRequestEvent,
  type RequestEvent,
  type RequestTokens,
  type SchemaSource,
  type Segment,
  type SegmentLabel,
  type ToolsChanged,
  withHidden,
} from './facts/index.ts';
export { LastRequest, type MessageHistory } from './last-request.ts';
export { stepMessages, transcriptOf, withSplitRounds } from './messages/index.ts';
export { isRetryable, refusalIn } from './refusal.ts';
export {
  buildRequest,
  type ModelId,
  type Pending,
  type RequestContext,
  type RequestInputs,
} from './request.ts';
export type { ChoosePreload, Notice, PreloadTurn, TurnView } from './tail.ts';
