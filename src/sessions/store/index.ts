export type { Entry, NewEntry, NewSession, SessionRecord } from './entry.ts';
export { LEASE_TIME, type Lease, type Owner, RENEWAL } from './lease.ts';
export { memoryStore } from './memory-store.ts';
export { isGone, newOwner } from './owner.ts';
export type {
  AppendOptions,
  InboxMessage,
  ListOptions,
  SearchOptions,
  SessionHit,
  SessionStore,
} from './store.ts';
