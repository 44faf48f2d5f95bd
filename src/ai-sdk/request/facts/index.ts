export { type EpochBegun, epochBegun } from './epoch-begun.ts';
export { Labels, type SegmentLabel } from './labels.ts';
export { type SchemaSource, schemaSource } from './schema-source.ts';
export { CALL_NOW, DEFINITION, PRELOADED } from './schema-texts.ts';
export { type PartTokens, type Segment, segmentsOf } from './segments.ts';
export { type ToolsChanged, toolsChanged } from './tools-changed.ts';
