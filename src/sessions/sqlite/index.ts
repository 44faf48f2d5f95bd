export { knownSessions, versionIn } from './open-file.ts';
export { startOf } from './place.ts';
export {
  memoryStore,
  type SqliteStore,
  type SqliteStoreOptions,
  sqliteStore,
} from './sqlite-store.ts';
export {
  Database,
  findText,
  KNOWN_VERSION,
  readEntries,
  UNUSED,
  versionOf,
} from './tables/index.ts';
