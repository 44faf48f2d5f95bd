import { LEASE_TIME, type Owner } from './lease.ts';
import { isGone } from './owner.ts';

/** What a store keeps about the last lease of a session. */
export interface LeaseState {
  /** Undefined if the lease was released, or if there was none. */
  readonly owner: Owner | undefined;
  /** When it was taken or renewed, in milliseconds since 1970 by its owner's clock. */
  readonly renewedAt: number;
}

/**
 * Whether a lease can be taken at the time `now`: it was released, it was not renewed for `LEASE_TIME`,
 * or its owner is gone. A time more than `LEASE_TIME` in the future means that a clock was set back. Such
 * a lease is free too, because it could seem to be new for years.
 */
export function isLeaseFree(
  { owner, renewedAt }: LeaseState,
  now: number,
  isOwnerGone: (owner: Owner) => boolean = isGone,
): boolean {
  if (!owner) return true;
  return Math.abs(now - renewedAt) >= LEASE_TIME || isOwnerGone(owner);
}
