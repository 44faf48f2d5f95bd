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
export { callSignature } from './call-signature.ts';
export {
  type Appearance,
  type Conversation,
  conversationOf,
  readTranscript,
} from './conversation.ts';
export { RecordedCalls, type RecordedResult } from './recorded-calls.ts';
export type {
  EpochNote,
  Note,
  TranscriptCall,
  TranscriptMessage,
  TranscriptResult,
} from './transcript.ts';
export type { Insert, LoadedName, TranscriptState } from './transcript-state.ts';
