export { findSession, shortId } from './find-session.ts';
export { sessionsFolder } from './open-store.ts';
export { sessionsCommand } from './sessions.ts';
