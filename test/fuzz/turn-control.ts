import { ticks } from './event-loop.ts';
import type { Reader } from './host.ts';
import type { Random } from './random.ts';
import type { Cut, Interruption } from './turns.ts';

/** Turns of the event loop until the user cancels a hanging tool. */
const TICKS_BEFORE_CANCEL = 5;
/** Turns of the event loop for which a tool ignores its signal. */
const TICKS_AFTER_CANCEL = 20;

/** Interrupts a turn at the planned event. It counts events, never time. */
export class TurnControl {
  readonly controller: AbortController = new AbortController();
  readonly reader: Reader;
  /** Resolves shortly after the turn was cancelled, or when it has ended. */
  readonly released: Promise<void>;
  readonly release: () => void;
  readonly #cut: Cut | undefined;
  readonly #counts = { part: 0, request: 0, run: 0 };

  constructor(interruption: Interruption | undefined, random: Random) {
    this.#cut = interruption?.cut?.(random);
    this.reader = {
      ticks: interruption?.ticks?.(random) ?? 0,
      leavesAfter: interruption?.leavesAfter?.(random),
      onPart: () => this.happens('part'),
    };
    const { promise, resolve } = Promise.withResolvers<void>();
    this.released = promise;
    this.release = resolve;
    const { signal } = this.controller;
    signal.addEventListener('abort', () => void ticks(TICKS_AFTER_CANCEL).then(resolve), {
      once: true,
    });
  }

  get isCancelled(): boolean {
    return this.controller.signal.aborted;
  }

  happens(what: Cut['at']): void {
    const count = ++this.#counts[what];
    const { at, count: wanted } = this.#cut ?? {};
    if (at === what && count === wanted) this.#cancel('the user cancels');
  }

  /** A tool starts. A hanging tool is cancelled, because the turn would never end otherwise. */
  runs(hangs: boolean): void {
    this.happens('run');
    if (hangs)
      void ticks(TICKS_BEFORE_CANCEL).then(() => this.#cancel('the user cancels a hanging tool'));
  }

  #cancel(why: string): void {
    this.controller.abort(new Error(why));
  }
}
