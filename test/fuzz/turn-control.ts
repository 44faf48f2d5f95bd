import { ticks } from './event-loop.ts';
import type { Reader } from './host.ts';
import type { Random } from './random.ts';
import type { Cut, Interruption } from './turns.ts';

/** Turns of the event loop until a user loses patience with a tool that hangs. */
const PATIENCE = 5;
/** Turns of the event loop that a tool which heeds no signal goes on for. */
const STUBBORNNESS = 20;

/** Cuts into a turn where its plan says so, counted in what has happened and not in time. */
export class TurnControl {
  readonly controller: AbortController = new AbortController();
  readonly reader: Reader;
  /** Resolves a little after the turn was cancelled, or when it is over. */
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
    signal.addEventListener('abort', () => void ticks(STUBBORNNESS).then(resolve), { once: true });
  }

  get isCancelled(): boolean {
    return this.controller.signal.aborted;
  }

  happens(what: Cut['at']): void {
    const count = ++this.#counts[what];
    const { at, count: wanted } = this.#cut ?? {};
    if (at === what && count === wanted) this.#cancel('the user cancels');
  }

  /** A tool begins; one that hangs is cancelled, or the turn would never end. */
  runs(hangs: boolean): void {
    this.happens('run');
    if (hangs) void ticks(PATIENCE).then(() => this.#cancel('the user loses patience'));
  }

  #cancel(why: string): void {
    this.controller.abort(new Error(why));
  }
}
