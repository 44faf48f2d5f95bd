export { type CheckOptions, checkSessions, type Finding } from './doctor/index.ts';
export { exportSession, type ImportOptions, importSession, linesOf } from './files/index.ts';
export { type SqliteStore, type SqliteStoreOptions, sqliteStore } from './sqlite/index.ts';
export {
  type Addition,
  type AppendOptions,
  createSession,
  type Entry,
  forkSession,
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
  openSession,
  type SearchOptions,
  type Session,
  type SessionHit,
  type SessionListener,
  type SessionRecord,
  type SessionStore,
} from './store/index.ts';
