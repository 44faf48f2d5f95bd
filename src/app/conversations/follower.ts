import { isDeepStrictEqual } from 'node:util';
import type { ScreenView } from '../../agent/index.ts';
import type { Entry, SessionStore } from '../../sessions/index.ts';
import { rebuiltView } from './rebuilt-events.ts';

/** How often a session is looked at, in milliseconds. */
const LOOK = 400;

/** What another process does with a session. */
export interface Followed {
  readonly view: ScreenView;
  /** Whether a process holds it, so that a turn runs there. */
  readonly isHeld: boolean;
}

/** Follows a session that other processes may write: message by message. */
export class Follower {
  readonly #store: SessionStore;
  readonly #id: string;
  readonly #onChange: (followed: Followed) => void;
  readonly #onError: (error: unknown) => void;
  #entries: Entry[] = [];
  #seq = -1;
  #children = 0;
  #isHeld = false;
  /** Changes when it starts and stops: a look of the time before changes nothing. */
  #period = 0;
  #view: ScreenView = { turns: [] };
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(
    store: SessionStore,
    id: string,
    {
      onChange,
      onError,
    }: { onChange: (followed: Followed) => void; onError: (error: unknown) => void },
  ) {
    this.#store = store;
    this.#id = id;
    this.#onChange = onChange;
    this.#onError = onError;
  }

  /** Begins to follow. The entries given are known already. */
  start(entries: readonly Entry[], view: ScreenView): void {
    this.#period += 1;
    this.#entries = [...entries];
    this.#view = view;
    this.#seq = entries.at(-1)?.seq ?? 0;
    this.#timer ??= setInterval(() => void this.look(), LOOK);
    this.#timer.unref();
  }

  /** Stops. A look that has begun changes nothing any more. */
  stop(): void {
    this.#period += 1;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Another process holds the session, as somebody else has found out. */
  expectHeld(): void {
    this.#isHeld = true;
  }

  /** Looks once, unless it is looking. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(this.#onError)
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const period = this.#period;
    const [holder, record, children] = await Promise.all([
      this.#store.holder(this.#id),
      this.#store.get(this.#id),
      this.#store.list({ parent: this.#id }),
    ]);
    const isHeld = holder !== undefined;
    const written = children.reduce((sum, { seq }) => sum + seq, 0);
    const hasGrown = (record?.seq ?? 0) !== this.#seq || (isHeld && written !== this.#children);
    if (period !== this.#period || (!hasGrown && isHeld === this.#isHeld)) return;
    const added = await this.#store.read(this.#id, { after: this.#seq });
    if (period !== this.#period) return;
    for (const entry of added) this.#entries.push(entry);
    this.#seq = this.#entries.at(-1)?.seq ?? 0;
    this.#children = written;
    this.#isHeld = isHeld;
    const view = await rebuiltView({ store: this.#store, id: this.#id, entries: this.#entries });
    if (period !== this.#period) return;
    this.#view = withKnown(view, this.#view);
    this.#onChange({ view: this.#view, isHeld });
  }
}

/** The view with the objects of turns that have not changed, so that they are not drawn again. */
function withKnown({ turns }: ScreenView, before: ScreenView): ScreenView {
  return {
    turns: turns.map((turn, at) => {
      const known = before.turns[at];
      return known && isDeepStrictEqual(known, turn) ? known : turn;
    }),
  };
}
