import { setTimeout as pause } from 'node:timers/promises';
import { type Patch, patchOf, type WireState } from '../web-wire/index.ts';

/** Milliseconds in which changes become one patch. */
const GATHER = 35;
/** Milliseconds between two comments, so that nothing between takes the connection for a dead one. */
const HEARTBEAT = 15_000;
/** Milliseconds after which a client that reads nothing is closed. */
const PATIENCE = 30_000;

/** The patch from one state to the next is the same for all who have that one. */
const patches = new WeakMap<WireState, { readonly to: WireState; readonly patch: Patch }>();

/** A stream of a session's states. It makes a patch only when the client has read the one before. */
export class StateStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #state: () => WireState;
  readonly #ended = new AbortController();
  #last: WireState | undefined;
  #isStale = false;
  #wake: () => void = () => {};
  #unread: NodeJS.Timeout | undefined;

  /** `state` makes the state now, the same object while nothing has changed. `drop` closes the connection. */
  constructor(state: () => WireState, drop: () => void, onEnd: () => void) {
    this.#state = state;
    this.#ended.signal.addEventListener('abort', () => {
      clearTimeout(this.#unread);
      this.#wake();
      onEnd();
    });
    this.body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          clearTimeout(this.#unread);
          const text = await this.#next();
          if (this.#ended.signal.aborted) return controller.close();
          controller.enqueue(new TextEncoder().encode(text));
          this.#unread = setTimeout(() => {
            this.end();
            drop();
          }, PATIENCE).unref();
        },
        cancel: () => this.end(),
      },
      { highWaterMark: 0 },
    );
  }

  /** The state has changed. */
  changed(): void {
    this.#isStale = true;
    this.#wake();
  }

  end(): void {
    this.#ended.abort();
  }

  /** The next event, once something has changed, or a comment. */
  async #next(): Promise<string> {
    const before = this.#last;
    if (!before) {
      this.#last = this.#state();
      return `event: state\ndata: ${JSON.stringify(this.#last)}\n\n`;
    }
    const beat = performance.now() + HEARTBEAT;
    while (!this.#ended.signal.aborted && performance.now() < beat) {
      if (!this.#isStale) await this.#change(beat - performance.now());
      if (!this.#isStale) continue;
      await pause(GATHER);
      this.#isStale = false;
      const now = this.#state();
      this.#last = now;
      const patch = patchBetween(before, now);
      if (patch.length > 0) return `event: patch\ndata: ${JSON.stringify(patch)}\n\n`;
    }
    return ': still here\n\n';
  }

  #change(within: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, within).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function patchBetween(from: WireState, to: WireState): Patch {
  const known = patches.get(from);
  if (known?.to === to) return known.patch;
  const patch = patchOf(from, to);
  patches.set(from, { to, patch });
  return patch;
}
