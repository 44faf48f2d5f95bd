export { knownSessions } from './known-sessions.ts';
