/** Milliseconds after which a lease is free if it was not renewed. */
export const LEASE_TIME = 15_000;

/** Milliseconds between two renewals of a lease. */
export const RENEWAL = 5_000;

/** The process that writes a session. */
export interface Owner {
  readonly host: string;
  /** The identity of the host's present boot, where the platform has one. */
  readonly boot: string;
  readonly pid: number;
  /** When the process started, in the platform's own unit, so that a reused pid is recognized. */
  readonly started: string;
  /** Distinguishes several owners in one process. */
  readonly instance: string;
  /** When it took the lease, in milliseconds since 1970 by its clock. Set by the store. */
  readonly since?: number;
}

/** The right to append to a session. */
export interface Lease {
  readonly session: string;
  /** Rises with each lease of a session. A store refuses an append with an earlier number. */
  readonly fence: number;
  readonly owner: Owner;
}
