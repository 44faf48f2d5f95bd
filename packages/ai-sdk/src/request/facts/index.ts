export type { EpochBegun } from './epoch-begun.ts';
export { Labels, type SegmentLabel } from './labels.ts';
export { LastSent } from './last-sent.ts';
export { DENIED } from './message-texts.ts';
export { plainRequestEvent, type RequestEvent, requestEvent, withHidden } from './request-event.ts';
export {
  countPrompt,
  countWireRequest,
  type RequestTokens,
  visibleNames,
} from './request-tokens.ts';
export { isPreloaded, type SchemaSource } from './schema-source.ts';
export { CALL_NOW, DEFINITION, PRELOADED } from './schema-texts.ts';
export type { Segment } from './segment.ts';
export type { ToolsChanged } from './tools-changed.ts';
