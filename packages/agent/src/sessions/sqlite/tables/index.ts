export { UNUSED } from './branches.ts';
export { Database, type Value, type Work } from './database.ts';
export { findDraft, noteWatch, showDraft } from './drafts.ts';
export { appendEntries, findText, readEntries } from './entries.ts';
export { findInbox, postMessage } from './inbox.ts';
export { acquireLease, releaseLease, renewLease } from './leases.ts';
export { KNOWN_VERSION, migrate, versionOf } from './migrations.ts';
export { hasNewWords, indexWords, searchWords } from './search.ts';
export {
  createSession,
  findHolder,
  findRecord,
  listSessions,
  removeSession,
  renameSession,
} from './sessions.ts';
export { damaged, fileError, isFileDamage, recoveryOf } from './sqlite-error.ts';
