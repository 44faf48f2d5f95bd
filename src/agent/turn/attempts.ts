import type { AgentEvent } from '../events/index.ts';
import { statusOf } from '../events/index.ts';

/** Counts how often the request of one step is sent. */
export class Attempts {
  #count = 0;
  #failed: { readonly status: number | undefined; readonly at: number } | undefined;

  /** The request is sent. Returns the event for a request that is sent again. */
  send(): AgentEvent | undefined {
    const failed = this.#failed;
    this.#count++;
    this.#failed = undefined;
    if (this.#count === 1) return;
    const { status } = failed ?? {};
    return {
      type: 'retry',
      attempt: this.#count,
      ...(status === undefined ? {} : { status }),
      ...(failed ? { wait: Math.round(performance.now() - failed.at) } : {}),
    };
  }

  /** The request failed. */
  fail(error: unknown): void {
    this.#failed = { status: statusOf(error), at: performance.now() };
  }
}
