export type { Finding } from './check-content.ts';
export { type CheckOptions, checkSessions } from './check-sessions.ts';
export { knownSessions } from './open-file.ts';
export {
  memoryStore,
  type SqliteStore,
  type SqliteStoreOptions,
  sqliteStore,
} from './sqlite-store.ts';
