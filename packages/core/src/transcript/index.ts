export {
  type Active,
  type ActiveNote,
  ALL_ACTIVE,
  activeOf,
  isActive,
  isAll,
  listedEntries,
  type Offer,
  viewOfNote,
} from './active.ts';
export {
  type Appearance,
  type ExpandedGroups,
  expandedEntries,
  expandedState,
  loadedRanks,
  type TranscriptSummary,
  unlistedGroup,
} from './conversation.ts';
export { callSignature, readMessage, readNote, schemasIn } from './reduce.ts';
export {
  type CallEvent,
  copyState,
  type EpochNote,
  emptyState,
  type Insert,
  type Note,
  type PositionedCalls,
  type ShownSchema,
  type TranscriptCall,
  type TranscriptMessage,
  type TranscriptResult,
  type TranscriptState,
} from './transcript.ts';
export {
  type BridgeMeanings,
  bridgeMeanings,
  type ReadingOptions,
  type RecordedResult,
  TranscriptReader,
} from './transcript-reader.ts';
