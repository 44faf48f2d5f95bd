export { type Addition, Session, type SessionListener } from './session.ts';
export { createSession, forkSession, openSession } from './sessions.ts';
