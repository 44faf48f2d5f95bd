export { elapsed, type Moment, thisMoment } from './clock.ts';
export {
  type Entry,
  MISSING_ENTRY,
  type NewEntry,
  type NewSession,
  type SessionRecord,
} from './entry.ts';
export {
  isGone,
  isLeaseFree,
  LEASE_TIME,
  type Lease,
  type LeaseState,
  newOwner,
  type Owner,
  RENEWAL,
} from './lease.ts';
export { checkWhole, lostSession, takenId, unknownSession } from './refusals.ts';
export { notRetryable, retrying } from './retry.ts';
export {
  type Addition,
  createSession,
  forkSession,
  idBelow,
  openSession,
  type Session,
  type SessionListener,
} from './session.ts';
export type {
  AppendOptions,
  Inbox,
  InboxMessage,
  ListOptions,
  PostedMessage,
  SearchOptions,
  SessionHit,
  SessionStore,
} from './store.ts';
export { WATCH_TIME } from './store.ts';
