export {
  CALL_STATES,
  type ExportFormat,
  exportToFile,
  sessionMarkdown,
  textsOf,
} from './export.ts';
export { allSessions, findSession, sessionsFolder, shortId } from './find-session.ts';
export {
  foundSessions,
  type ListedSession,
  listedSession,
  newTitle,
  type SessionState,
  sessionState,
  stateText,
  titleOf,
} from './found-sessions.ts';
export { openStore, type WaitingMessage, WaitingMessages, withStore } from './open-store.ts';
export {
  readTranscript,
  type Transcript,
  type TranscriptApproval,
  type TranscriptCallItem,
  type TranscriptItem,
  type TranscriptUsage,
} from './transcript.ts';
