import { isDeepStrictEqual } from 'node:util';
import { ThoughtReader } from '@toolfold/agent/internal/entries';
import {
  type AgentEvent,
  createScreen,
  type Screen,
  type ScreenView,
  screenOf,
} from '@toolfold/agent/internal/events';
import { openEvents } from '@toolfold/agent/internal/log';
import type { StampedEvent } from '@toolfold/agent/internal/options';
import { type Entry, every, openSession, type Session } from '@toolfold/agent/internal/sessions';
import { eventsOf, type RebuiltEvent } from '@toolfold/agent/internal/state';
import { pick } from '@toolfold/core/internal/values';
import { PieceRedactor } from '@toolfold/mcp/internal/redact.ts';
import { allSessions } from '../stored-sessions/index.ts';

/** How often a session is looked at, in milliseconds. */
const LOOK = 400;

/** Where a conversation is shown, and where other processes are followed. */
export interface ConversationObserver {
  /** Called with every change of what is shown. */
  readonly onChange: () => void;
  /** Gets what went wrong outside a turn. */
  readonly onError: (error: unknown) => void;
}

/** What is seen of a session: the turns here, and what other processes write between them, message by message. */
export class SessionView {
  readonly #onError: ConversationObserver['onError'];
  readonly #onFollowed: () => void;
  #screen: Screen = createScreen();
  /** What the entries show, without the answer that another process receives now. */
  #written: ScreenView = { turns: [] };
  #open: readonly AgentEvent[] = [];
  #session: Session | undefined;
  #entries: readonly Entry[] = [];
  #children = 0;
  #isHeld = false;
  /** When a request that failed is sent again, by the clock of `performance.now`. */
  #retryAt = 0;
  /** Changes when following starts and stops: a look of the time before changes nothing. */
  #period = 0;
  /** Ends the looks. */
  #end: (() => void) | undefined;
  #looking: Promise<void> | undefined;

  /** `onFollowed` is called when another process has changed something. */
  constructor({ onError }: Pick<ConversationObserver, 'onError'>, onFollowed: () => void) {
    this.#onError = onError;
    this.#onFollowed = onFollowed;
  }

  get view(): ScreenView {
    return this.#screen.view;
  }

  /** What other processes have written, as far as it is shown. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** The session in which another process runs a turn, with its entries so far. */
  get elsewhere(): Pick<Session, 'id' | 'store' | 'entries'> | undefined {
    if (!this.#isHeld || !this.#session) return undefined;
    return { ...pick(this.#session, 'id', 'store'), entries: this.#entries };
  }

  /** Seconds until a request of the turn here that failed is sent again. Undefined if none waits for that. */
  get secondsToRetry(): number | undefined {
    const left = this.#retryAt - performance.now();
    return left > 0 ? Math.ceil(left / 1000) : undefined;
  }

  /** Whether all entries of the session are shown. */
  isUpTo({ entries }: Session): boolean {
    return lastOf(this.#entries) === lastOf(entries);
  }

  /** Another process runs a turn, as somebody else has found out. */
  expectHeld(): void {
    this.#isHeld = true;
    void this.#look();
  }

  /** Shows another session, or an empty one. */
  async showAnother(session: Session | undefined): Promise<void> {
    this.pause();
    this.#session = undefined;
    this.#isHeld = false;
    this.#children = 0;
    this.#entries = [];
    this.#showWritten({ turns: [] }, []);
    if (session) await this.show(session);
  }

  /** Shows a session and follows it, unless it is shown already. */
  async show(session: Session): Promise<void> {
    if (this.#session) return;
    this.#session = session;
    this.#showWritten(screenOf(await eventsOfSession(session)), []);
    this.follow(session);
    await this.#look();
  }

  /** Shows an event of a turn here. */
  take(event: StampedEvent): void {
    this.#screen.take(event);
    if (event.type === 'retry') this.#retryAt = performance.now() + (event.wait ?? 0);
    if (event.type === 'request' || event.type === 'end') this.#retryAt = 0;
  }

  /** A turn begins here, or the end has come: nothing else is followed. */
  pause(): void {
    this.#period += 1;
    this.#end?.();
    this.#end = undefined;
  }

  /** No turn runs here: follows what others write behind these entries. */
  follow({ entries }: Session): void {
    if (!this.#session) return;
    this.#period += 1;
    // The session appends to its own list, and what it appends is read from the store again.
    this.#entries = [...entries];
    this.#end ??= every(LOOK, () => void this.#look());
  }

  /** Looks once, unless it is looking. */
  #look(): Promise<void> {
    this.#looking ??= this.#lookOnce()
      .catch(this.#onError)
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    if (!this.#session) return;
    const { store, id } = this.#session;
    const period = this.#period;
    const [holder, record] = await Promise.all([store.holder(id), store.get(id)]);
    const isHeld = holder !== undefined;
    const children = isHeld ? await store.list({ parent: id }) : [];
    const written = children.reduce((sum, { seq }) => sum + seq, 0);
    const hasGrown =
      (record?.seq ?? 0) !== lastOf(this.#entries) || (isHeld && written !== this.#children);
    if (period !== this.#period) return;
    let [entries, view] = [this.#entries, this.#written];
    if (hasGrown || isHeld !== this.#isHeld) {
      entries = [...entries, ...(await store.read(id, { after: lastOf(entries) }))];
      view = withKnown(screenOf(await eventsOfSession({ store, id, entries })), view);
    }
    const open = isHeld ? await openEvents(store, id, entries) : [];
    if (period !== this.#period) return;
    if (view === this.#written && isDeepStrictEqual(open, this.#open)) return;
    this.#entries = entries;
    this.#children = written;
    this.#isHeld = isHeld;
    this.#showWritten(view, open);
    this.#onFollowed();
  }

  #showWritten(view: ScreenView, open: readonly AgentEvent[]): void {
    this.#written = view;
    this.#open = open;
    this.#screen = createScreen(view);
    for (const event of open) this.#screen.take(event);
  }
}

/** The number of the last entry. */
function lastOf(entries: readonly Entry[]): number {
  return entries.at(-1)?.seq ?? 0;
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

/** The session, opened again if another process has written it since. Undefined if none has. */
export async function reopened({ id, store, record }: Session): Promise<Session | undefined> {
  return (await store.get(id))?.seq === record.seq ? undefined : openSession(store, id);
}

/** What is rebuilt: a session and its entries so far. */
type RebuiltSession = Pick<Session, 'store' | 'id' | 'entries'>;

/** The events of a session and of its subagents, rebuilt from what the store has. */
export async function eventsOfSession({
  store,
  id,
  entries,
}: RebuiltSession): Promise<Iterable<RebuiltEvent>> {
  const children = new Map<string, readonly Entry[]>();
  // A fork shares the turns of its subagents with the session that it is a fork of.
  for (let from: string | undefined = id; from !== undefined; ) {
    for await (const record of allSessions(store, from)) {
      const child = record.id.slice(from.length + 1);
      if (!children.has(child)) children.set(child, await store.read(record.id));
    }
    from = (await store.get(from))?.forkOf;
  }
  return eventsOf(entries, (child) => children.get(child) ?? []);
}

/** What shows that a text has ended. Other events, such as a usage, may stand between two pieces of one text. */
const ENDING: ReadonlySet<AgentEvent['type']> = new Set([
  ...(['user', 'request', 'reasoning', 'call-delta', 'call', 'discarded', 'end'] as const),
]);

/**
 * Removes secrets from the answers of a turn, also where they come in several pieces. Thoughts between tags become
 * `reasoning` events.
 */
export class ShownTexts<EVENT extends AgentEvent> {
  readonly #secrets: PieceRedactor;
  readonly #thoughts = new ThoughtReader();
  #last: EVENT | undefined;

  /** `secrets`: the texts to hide, as `secretTexts` returns them. */
  constructor(secrets: () => readonly string[] = () => []) {
    this.#secrets = new PieceRedactor(secrets);
  }

  /** The events to show for an event, in order. */
  of(event: EVENT): readonly EVENT[] {
    if (event.type === 'text') {
      this.#last = event;
      return this.#said(this.#thoughts.take(this.#secrets.take(event.text)));
    }
    if (!ENDING.has(event.type)) return [event];
    const rest = this.#thoughts.take(this.#secrets.end());
    return [...this.#said([...rest, ...this.#thoughts.end()]), event];
  }

  /** The events to show for all of a turn, or of several. */
  *all(events: Iterable<EVENT>): Iterable<EVENT> {
    for (const event of events) yield* this.of(event);
  }

  #said(parts: ReturnType<ThoughtReader['take']>): readonly EVENT[] {
    return parts.flatMap(({ kind, text }) =>
      kind === 'mark' ? [] : [{ ...this.#last, type: kind, text } as EVENT],
    );
  }
}
