export { type CheckOptions, checkSessions } from './check-sessions.ts';
export type { Finding } from './finding.ts';
