export { CALL_STATES, sessionMarkdown } from './markdown.ts';
export { readTranscript } from './read-transcript.ts';
export type {
  Transcript,
  TranscriptApproval,
  TranscriptCall,
  TranscriptEntry,
  TranscriptItem,
  TranscriptUsage,
} from './transcript.ts';
