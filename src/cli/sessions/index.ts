export { findSession, shortId } from './find-session.ts';
export { sessionsFolder } from './folder.ts';
export { openStore } from './open-store.ts';
export { sessionsCommand } from './sessions.ts';
