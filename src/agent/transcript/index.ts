export { entryText, outputText } from './entry-text.ts';
export { beginning, CALL_STATES, sessionMarkdown } from './markdown.ts';
export { LOST, readTranscript } from './read-transcript.ts';
export type {
  Transcript,
  TranscriptApproval,
  TranscriptCall,
  TranscriptEntry,
  TranscriptItem,
  TranscriptUsage,
} from './transcript.ts';
