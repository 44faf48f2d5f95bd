export { type BridgeMeanings, bridgeMeanings } from './bridge-meanings.ts';
export type { CallEvent } from './call-event.ts';
export { callSignature } from './call-signature.ts';
export type { Appearance, Conversation } from './conversation.ts';
export {
  type ExpandedGroups,
  expandedEntries,
  expandedState,
  loadedRanks,
  unlistedGroup,
} from './expanded.ts';
export { readNote } from './note-reading.ts';
export type { RecordedResult } from './recorded-calls.ts';
export { readMessage } from './reduce.ts';
export { schemasIn } from './result-reading.ts';
export type {
  EpochNote,
  Note,
  TranscriptCall,
  TranscriptMessage,
  TranscriptResult,
} from './transcript.ts';
export { type ReadingOptions, TranscriptReader } from './transcript-reader.ts';
export {
  type AskedCalls,
  copyState,
  emptyState,
  type Insert,
  type ShownSchema,
  type TranscriptState,
} from './transcript-state.ts';
