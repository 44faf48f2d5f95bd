export { startOf, versionIn } from './file/index.ts';
export { type SqliteStore, type SqliteStoreOptions, sqliteStore } from './sqlite-store.ts';
export {
  Database,
  findText,
  KNOWN_VERSION,
  listSessions,
  readEntries,
  UNUSED,
  versionOf,
} from './tables/index.ts';
