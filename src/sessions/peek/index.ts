export { type KnownSession, knownSessions } from './known-sessions.ts';
