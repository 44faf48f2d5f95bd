export { type CheckOptions, checkSessions, type Finding } from './check-sessions.ts';
export { knownSessions } from './open-file.ts';
export {
  memoryStore,
  type SqliteStore,
  type SqliteStoreOptions,
  sqliteStore,
} from './sqlite-store.ts';
