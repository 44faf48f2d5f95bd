export { LastRequest, type MessageHistory } from './last-request.ts';
export { LastSent } from './last-sent.ts';
export {
  buildRequest,
  type ModelId,
  type Pending,
  type PreviousRequest,
  type RequestInputs,
} from './request.ts';
export {
  type EpochBegun,
  plainRequestEvent,
  type RequestEvent,
  type SchemaSource,
  type ToolsChanged,
  withHidden,
} from './request-event.ts';
export { countPrompt, type RequestTokens } from './request-tokens.ts';
export type { Segment, SegmentLabel } from './segments.ts';
export type { ChoosePreload, Notice, PreloadTurn, TurnView } from './tail.ts';
