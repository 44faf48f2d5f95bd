import type { SessionStore } from '@toolfold/agent/internal/sessions';

/** One behaviour that every store of sessions has. */
export interface StoreCase {
  readonly name: string;
  /**
   * Rejects if the store behaves otherwise. The store is empty and its own; the caller closes it. Cases
   * about the time of leases set `Date.now`, so no two cases run at the same time.
   */
  readonly run: (store: SessionStore) => Promise<void>;
}
