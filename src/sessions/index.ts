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
  type Lease,
  type ListOptions,
  memoryStore,
  type NewEntry,
  type NewSession,
  type Owner,
  type SearchOptions,
  type SessionHit,
  type SessionRecord,
  type SessionStore,
} from './store/index.ts';
