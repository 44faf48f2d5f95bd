export {
  type Entry,
  MISSING_ENTRY,
  type NewEntry,
  type NewSession,
  type SessionRecord,
} from './entry.ts';
export { isFree } from './free.ts';
export { type Lease, type Owner, RENEWAL } from './lease.ts';
export { memoryStore } from './memory-store.ts';
export { isGone, newOwner } from './owner.ts';
export { lasting, PATIENCE, patiently } from './patience.ts';
export {
  busySession,
  checkOrder,
  checkWhole,
  lostSession,
  takenId,
  unknownLeaf,
  unknownSession,
} from './refusals.ts';
export type {
  AppendOptions,
  InboxMessage,
  ListOptions,
  SearchOptions,
  SessionHit,
  SessionStore,
} from './store.ts';
export { excerptOf, termsOf } from './words.ts';
