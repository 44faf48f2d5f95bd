export { exportSession } from './export-session.ts';
export { type ImportOptions, importSession, linesOf } from './import-session.ts';
export {
  elapsed,
  isGone,
  isLeaseFree,
  LEASE_TIME,
  type Lease,
  type LeaseState,
  type Moment,
  newOwner,
  type Owner,
  RENEWAL,
  thisMoment,
} from './lease.ts';
export { A_FUNCTION, checkOptions, type OptionChecks } from './option-checks.ts';
export {
  type Addition,
  createSession,
  forkSession,
  openSession,
  type Session,
  type SessionListener,
} from './session.ts';
export {
  type AppendOptions,
  type Entry,
  type Inbox,
  type InboxMessage,
  type ListOptions,
  MISSING_ENTRY,
  type NewEntry,
  type NewSession,
  type PostedMessage,
  type SearchOptions,
  type SessionHit,
  type SessionRecord,
  type SessionStore,
  WATCH_TIME,
} from './store.ts';
export {
  busySession,
  checkWhole,
  lostSession,
  notRetryable,
  retrying,
  takenId,
  unknownSession,
} from './store-errors.ts';
export { every, joined } from './together.ts';
