/** Which revisions of the protocol are spoken: any, those before 2026-07-28, or only this one. */
export type Protocol = 'auto' | 'legacy' | '2026-07-28';

/** How a server is started, used and stopped. Every field has a default. Times in milliseconds. */
export interface Lifecycle {
  /** Do not stop the server when nobody uses it. */
  readonly keepAlive?: boolean;
  /** Each session of a host has a connection of its own, as for a browser. */
  readonly perSession?: boolean;
  /** Stop the server after this time without a call. */
  readonly idleTime?: number;
  /** Time for starting and listing together. */
  readonly startTimeout?: number;
  /** Time for a call. */
  readonly callTimeout?: number;
  /** Times for the calls of tools, by glob of their bare names. The last glob that matches counts. */
  readonly toolTimeouts?: readonly (readonly [glob: string, milliseconds: number])[];
  readonly protocol?: Protocol;
  /** Maximum calls at once. Further calls wait. */
  readonly maxCalls?: number;
}
