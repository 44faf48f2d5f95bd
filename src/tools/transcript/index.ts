export {
  type Active,
  type ActiveNote,
  ALL_ACTIVE,
  activeOf,
  isActive,
  isAll,
  listedEntries,
  type Offer,
  readActive,
  viewOfNote,
} from './active.ts';
export type { CallEvent } from './call-event.ts';
export {
  type Brought,
  callSignature,
  type Folded,
  foldTranscript,
  type Insert,
  type LoadedName,
} from './fold.ts';
export type {
  EpochNote,
  Note,
  TranscriptCall,
  TranscriptMessage,
  TranscriptResult,
} from './transcript.ts';
