export { type EpochBegun, epochBegun } from './epoch-begun.ts';
export { Labels, type SegmentLabel } from './labels.ts';
export { DENIED, type SentTo, senderOf } from './message-texts.ts';
export { type SchemaSource, schemaSource } from './schema-source.ts';
export { CALL_NOW, DEFINITION, PRELOADED } from './schema-texts.ts';
export type { Segment } from './segment.ts';
export { LastSent, type PartTokens, segmentsOf } from './segments.ts';
export type { SentMessage } from './sent-message.ts';
export { type ToolsChanged, toolsChanged } from './tools-changed.ts';
