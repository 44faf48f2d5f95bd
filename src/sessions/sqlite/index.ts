export { Database } from './database.ts';
export { readEntries } from './entries.ts';
export { KNOWN_VERSION, versionOf } from './migrations.ts';
export { type SqliteStore, type SqliteStoreOptions, sqliteStore } from './sqlite-store.ts';
export { findText } from './texts.ts';
