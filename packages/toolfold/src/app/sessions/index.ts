export { type ExportFormat, exportToFile, textsOf } from './export-to-file.ts';
export { allSessions, findSession, shortId } from './find-session.ts';
export { sessionsFolder } from './folder.ts';
export {
  foundSessions,
  type ListedSession,
  listedSession,
  newTitle,
  titleOf,
} from './found-sessions.ts';
export { openStore, withStore } from './open-store.ts';
export { type SessionState, sessionState, stateText } from './session-state.ts';
export { type WaitingMessage, WaitingMessages } from './waiting.ts';
