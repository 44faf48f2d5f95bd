export type {
  EpochBegun,
  SchemaSource,
  Segment,
  SegmentLabel,
  ToolsChanged,
} from './facts/index.ts';
export { LastSent } from './facts/index.ts';
export { LastRequest } from './last-request.ts';
export { stepMessages, transcriptOf, withSplitRounds } from './messages/index.ts';
export { isRetryable, refusalIn } from './refusal.ts';
export {
  buildRequest,
  type ModelId,
  type Pending,
  type RequestContext,
  type RequestInputs,
} from './request.ts';
export { plainRequestEvent, type RequestEvent, withHidden } from './request-event.ts';
export { countPrompt, type RequestTokens } from './request-tokens.ts';
export type { ChoosePreload, Notice, PreloadTurn, TurnView } from './tail.ts';
