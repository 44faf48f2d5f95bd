export { type CheckOptions, checkSessions, type Finding } from './doctor/index.ts';
export { exportSession, type ImportOptions, importSession, linesOf } from './files/index.ts';
export {
  type Addition,
  createSession,
  forkSession,
  openSession,
  type Session,
  type SessionListener,
} from './session/index.ts';
export { type SqliteStore, type SqliteStoreOptions, sqliteStore } from './sqlite/index.ts';
export {
  type AppendOptions,
  type Entry,
  type InboxMessage,
  isLeaseFree,
  LEASE_TIME,
  type Lease,
  type ListOptions,
  MISSING_ENTRY,
  memoryStore,
  type NewEntry,
  type NewSession,
  newOwner,
  type Owner,
  type SearchOptions,
  type SessionHit,
  type SessionRecord,
  type SessionStore,
} from './store/index.ts';
