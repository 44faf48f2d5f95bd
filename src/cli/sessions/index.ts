export { allSessions, findSession, shortId } from './find-session.ts';
export { sessionsFolder } from './folder.ts';
export { titleOf } from './listed-session.ts';
export { openStore } from './open-store.ts';
export { sessionsCommand } from './sessions.ts';
