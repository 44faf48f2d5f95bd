export { type Segment, sharePath, UNUSED } from './branches.ts';
export { Database, identityOf, type Value, type Work } from './database.ts';
export { findDraft, noteWatch, showDraft } from './drafts.ts';
export {
  appendEntries,
  besideBody,
  type EntryRow,
  findText,
  insertEntry,
  readEntries,
} from './entries.ts';
export { findInbox, postMessage } from './inbox.ts';
export { isUnchanged } from './json-column.ts';
export { acquireLease, releaseLease, renewLease } from './leases.ts';
export { KNOWN_VERSION, MIGRATIONS, migrate, versionOf } from './migrations.ts';
export { hasNewWords, indexWords, searchWords } from './search.ts';
export {
  createSession,
  findHolder,
  findRecord,
  listSessions,
  removeSession,
  renameSession,
} from './sessions.ts';
export { damaged, fileError } from './sqlite-error.ts';
