export { beginning, CALL_STATES, outputText, sessionMarkdown } from './markdown.ts';
export { readTranscript } from './read-transcript.ts';
export type {
  Transcript,
  TranscriptApproval,
  TranscriptCall,
  TranscriptEntry,
  TranscriptItem,
  TranscriptUsage,
} from './transcript.ts';
