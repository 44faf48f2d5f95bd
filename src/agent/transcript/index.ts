export { beginning, CALL_STATES, outputText, sessionMarkdown } from './markdown.ts';
export { LOST, readTranscript } from './read-transcript.ts';
export { ThoughtReader, thoughtsIn } from './thoughts.ts';
export type {
  Transcript,
  TranscriptApproval,
  TranscriptCall,
  TranscriptEntry,
  TranscriptItem,
  TranscriptUsage,
} from './transcript.ts';
