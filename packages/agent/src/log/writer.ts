import { ownProperty } from '@toolfold/core/internal/values';
import type { Write } from '../entries/index.ts';
import type { StampedEvent } from '../options/index.ts';
import type { Addition, Session } from '../sessions/index.ts';

/** Something to write, or a delta that stands behind it. */
export interface LogItem {
  /** What is shown when it is durable. */
  readonly events: readonly StampedEvent[];
  readonly write?: Write;
  /** What the session is given. */
  readonly addition?: Addition;
  /** Texts that the entry names by their hashes. */
  readonly texts?: ReadonlyMap<string, string>;
}

interface QueuedItem extends LogItem {
  isShown: boolean;
  readonly done: PromiseWithResolvers<void>;
}

export interface WriterOptions {
  readonly session: Session | undefined;
  /** Whether what is not written now can be written later. */
  readonly hasLater: boolean;
  readonly show: (event: StampedEvent) => Promise<void>;
  /** Called with what cannot be written. `isFirst`: nothing has failed since `begin`. */
  readonly onLost: (lost: readonly LogItem[], isFirst: boolean) => void;
}

/** Writes items in order, as many as possible in one step. The events of an item are shown once it is durable. */
export class LogWriter {
  readonly #options: WriterOptions;
  #queue: QueuedItem[] = [];
  /** What is being written, and resolves when nothing is any more. */
  #batch: readonly QueuedItem[] = [];
  #writing: Promise<void> | undefined;
  /** Why nothing can be written any more. */
  failure: { readonly error: unknown } | undefined;
  /** Events are shown before their entries are written. */
  #isHurried = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Whether results of tools that cannot be written are written later: no other process has gone on without them. */
  get keepsResults(): boolean {
    const code = ownProperty(this.failure?.error, 'code');
    return this.#options.hasLater && code === 'session-unavailable';
  }

  /** Writes again after a failure, and shows events only when their entries are durable. */
  begin(): void {
    this.failure = undefined;
    this.#isHurried = false;
  }

  /** Shows what waits to be written, and from now on each event at once. It is still written. */
  hurry(): void {
    this.#isHurried = true;
    for (const item of [...this.#batch, ...this.#queue]) void this.#show(item);
  }

  /** Resolves when everything that was given so far is written, or cannot be. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** Resolves when the items are durable and their events are shown. Rejects if they cannot be written. */
  async add(items: readonly LogItem[]): Promise<void> {
    const added = items.map((item) => {
      const done = Promise.withResolvers<void>();
      return { ...item, isShown: false, done };
    });
    const isKept = added.some(({ addition }) => addition);
    if (this.#isHurried || !(isKept || this.#writing)) {
      const shown = added.map((item) => this.#show(item));
      if (!isKept) return void (await Promise.all(shown));
    }
    if (isKept && this.failure) this.#lose(this.failure.error, added);
    else {
      this.#queue.push(...added);
      // The last thing that it does is to say that it has ended.
      this.#writing ??= this.#write();
    }
    await Promise.all(added.map(({ done }) => done.promise));
  }

  /** Nothing more can be written. What happened is still shown. What is being written fails or succeeds by itself. */
  fail(error: unknown): void {
    this.#lose(error, []);
  }

  async #write(): Promise<void> {
    // The caller must have the promise first.
    await undefined;
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      this.#batch = batch;
      const additions = batch.flatMap(({ addition }) => addition ?? []);
      const texts = new Map(batch.flatMap(({ texts = new Map<string, string>() }) => [...texts]));
      try {
        if (additions.length > 0) await this.#options.session?.append(additions, texts);
        for (const item of batch) void this.#show(item).then(item.done.resolve);
      } catch (error) {
        this.#lose(error, batch);
      }
      this.#batch = [];
    }
    this.#writing = undefined;
  }

  #lose(error: unknown, lost: readonly QueuedItem[]): void {
    const items = [...lost, ...this.#queue];
    const isFirst = this.failure === undefined;
    this.failure ??= { error };
    this.#queue = [];
    // A tool whose start is not written does not run. An outcome that is dropped is nowhere else.
    const hidden = this.keepsResults ? ['start'] : ['start', 'result'];
    for (const item of items) if (!hidden.includes(item.write?.[0] ?? '')) void this.#show(item);
    this.#options.onLost(items, isFirst);
    for (const { done } of items) {
      done.promise.catch(() => {});
      done.reject(error);
    }
  }

  /** Shows the events of an item, once. */
  async #show(item: QueuedItem): Promise<void> {
    if (item.isShown) return;
    item.isShown = true;
    await Promise.all(item.events.map(this.#options.show));
  }
}
