export { type EpochBegun, epochBegun } from './epoch-begun.ts';
export { type SchemaSource, schemaSource } from './schema-source.ts';
export { type Segment, segmentsOf } from './segments.ts';
export { type ToolsChanged, toolsChanged } from './tools-changed.ts';
