export { exportToFile } from './export.ts';
export { allSessions, findSession, shortId } from './find-session.ts';
export { type ListedSession, listedSession, newTitle, titleOf } from './listed-session.ts';
export { openStore } from './open-store.ts';
export { stateText } from './session-state.ts';
export { sessionsCommand } from './sessions.ts';
