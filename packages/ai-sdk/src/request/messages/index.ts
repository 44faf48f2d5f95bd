export { LastReading } from './last-reading.ts';
export { type ReadCall, type ReadMessage, readMessage, readMessages } from './read-messages.ts';
export { withSplitRounds } from './split-rounds.ts';
export { stepMessages } from './step-messages.ts';
export { transcriptMessage, transcriptOf } from './transcript.ts';
export { type WrittenCall, writtenCall } from './written-call.ts';
