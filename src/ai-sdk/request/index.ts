export { Endpoints } from './endpoints.ts';
export type { EpochBegun, SchemaSource, Segment, ToolsChanged } from './facts/index.ts';
export { isRetryable, refusalIn } from './refusal.ts';
export {
  buildRequest,
  type ModelId,
  type Pending,
  type RequestContext,
  type RequestInputs,
} from './request.ts';
export { type RequestEvent, withHidden } from './request-event.ts';
export { countPrompt, type RequestTokens } from './request-tokens.ts';
export { splitRounds, withSplitRounds } from './split-rounds.ts';
export { stepMessages } from './step-messages.ts';
export type { ChoosePreload, Notice, PreloadTurn, TurnView } from './tail.ts';
export { toTranscript } from './transcript.ts';
