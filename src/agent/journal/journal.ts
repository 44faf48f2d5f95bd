import type { ModelMessage } from 'ai';
import type { Addition, InboxMessage, Session } from '../../sessions/index.ts';
import { canonicalJson, type JsonObject, ownProperty } from '../../tools/values/index.ts';
import type { AgentEvent } from '../events/index.ts';
import { entryText } from '../transcript/index.ts';
import { JournalState } from './journal-state.ts';
import type { Kinds, Write } from './kinds.ts';
import { plainValue } from './plain.ts';
import { packed } from './sent-request.ts';
import { Told } from './told.ts';
import { isWritten } from './written-events.ts';

/** After these events no call of an earlier answer is open. */
const SETTLING: ReadonlySet<AgentEvent['type']> = new Set(['request', 'compaction', 'end']);

/** What the agent is told while it writes. */
export interface JournalListener {
  /** Called once if nothing can be written any more. */
  readonly onFailure: (error: unknown) => void;
  readonly onMessage: (message: InboxMessage) => void;
}

/** What an agent writes about its conversation. Without a session it only counts. */
export class Journal {
  readonly state: JournalState = new JournalState();
  readonly #session: Session | undefined;
  readonly #told = new Told();
  #listener: JournalListener | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** Results of tools that the store has not taken. */
  #unwritten: readonly Kinds['result'][] = [];
  /** JSON of messages, so that a long conversation is not written again for each comparison. */
  readonly #texts = new WeakMap<ModelMessage, string>();

  constructor(session: Session | undefined) {
    this.#session = session;
    for (const entry of session?.entries ?? []) this.state.take(entry);
  }

  get session(): Session | undefined {
    return this.#session;
  }

  /** Whether entries can be written now. */
  get isHeld(): boolean {
    return this.#session?.isHeld === true;
  }

  /** Why nothing can be written any more. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /**
   * Takes the right to write. Resolves with whether another process has written meanwhile. Rejects with
   * `session-busy` while another one writes.
   */
  async begin(listener: JournalListener): Promise<boolean> {
    const session = this.#session;
    this.#failure = undefined;
    this.#listener = listener;
    if (!session) return false;
    await session.begin({
      onMessage: listener.onMessage,
      onLost: (error) => this.#fail(error),
    });
    // Whoever has the session may have read them before.
    const { seq } = this.state;
    const added = session.entries.slice(
      session.entries.findLastIndex((entry) => entry.seq <= seq) + 1,
    );
    for (const entry of added) this.state.take(entry);
    await this.#writeRest(added.length > 0);
    return added.length > 0;
  }

  /** Writes the results that the store did not take before, unless another process has gone on without them. */
  async #writeRest(isOutdated: boolean): Promise<void> {
    const rest = this.#unwritten;
    if (rest.length === 0) return;
    this.#unwritten = [];
    if (isOutdated) {
      this.state.unsettle();
      return;
    }
    try {
      await this.#write(rest.map((result): Write => ['result', result]));
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  /** Gives the right to write back. */
  async end(): Promise<void> {
    this.#listener = undefined;
    await this.#session?.end();
  }

  /** Writes entries in one step. Resolves when they are durable. Rejects if they cannot be written. */
  async write(...writes: readonly Write[]): Promise<void> {
    await this.#write(writes);
  }

  /**
   * Writes an event that does not follow from other entries, and is not only shown while it happens. What
   * happened to calls is compared when their answers are complete.
   */
  async tell(event: AgentEvent): Promise<void> {
    if (!isWritten(event)) return;
    if (!this.#session) {
      this.state.count('event', { event });
      return;
    }
    if (event.type === 'discarded') this.#told.withdraw(event);
    if (this.#told.emit(event)) return;
    const before = SETTLING.has(event.type) ? this.#told.rest() : [];
    const writes = before.map((one): Write => ['event', { event: one }]);
    if (event.type !== 'request') {
      await this.#write([...writes, ['event', { event }]]);
      return;
    }
    const { write, texts } = packed(event, this.state.request?.segments);
    await this.#write([...writes, write], texts);
  }

  /** Whether an approval that was asked for in this turn is written. */
  hasAsked(approvalId: string): boolean {
    return this.#told.hasAsked(approvalId);
  }

  async #write(writes: readonly Write[], texts?: ReadonlyMap<string, string>): Promise<void> {
    if (writes.length === 0) return;
    if (this.#failure) {
      this.#keepResults(writes);
      throw this.#failure.error;
    }
    const { state } = this;
    if (!this.#session) {
      for (const [kind, body] of writes) state.count(kind, body);
      return;
    }
    try {
      for (const write of writes) this.#told.take(write);
      for (const entry of await this.#session.append(writes.map(additionOf), texts))
        state.take(entry);
    } catch (error) {
      this.#fail(error);
      this.#keepResults(writes);
      throw error;
    }
  }

  /** What tools have done is known here as long as no other process has taken the session. */
  #keepResults(writes: readonly Write[]): void {
    if (ownProperty(this.#failure?.error, 'code') !== 'session-unavailable') return;
    for (const [kind, body] of writes) {
      if (kind !== 'result' || this.#unwritten.some(({ id }) => id === body.id)) continue;
      this.#unwritten = [...this.#unwritten, body];
      this.state.settle(body);
    }
  }

  /**
   * Writes what makes the written messages equal to these: mostly nothing. `id`: of the last message, if that
   * is a new one of the user.
   */
  async sync(messages: readonly ModelMessage[], id?: string): Promise<void> {
    if (!this.#session) {
      if (id !== undefined) this.state.ids.add(id);
      return;
    }
    if (this.#failure) throw this.#failure.error;
    const known = this.state.settled();
    let keep = 0;
    while (
      keep < known.length &&
      keep < messages.length &&
      this.#isEqual(known[keep], messages[keep])
    )
      keep++;
    if (keep === known.length && keep === messages.length) {
      // The same objects compare faster, and what was open is settled.
      this.state.replace(messages, keep);
      return;
    }
    const add = messages.slice(keep);
    const last = add.at(-1);
    const isSent = last?.role === 'user';
    const before = isSent ? add.slice(0, -1) : add;
    const writes: Write[] = [];
    if (before.length > 0 || keep < known.length) writes.push(['messages', { keep, add: before }]);
    if (isSent) writes.push(['user', { message: last, ...(id === undefined ? {} : { id }) }]);
    await this.write(...writes);
    this.state.replace(messages, messages.length);
  }

  #isEqual(one: ModelMessage | undefined, other: ModelMessage | undefined): boolean {
    if (one === other) return true;
    return one !== undefined && other !== undefined && this.#text(one) === this.#text(other);
  }

  #text(message: ModelMessage): string {
    const known = this.#texts.get(message);
    if (known !== undefined) return known;
    const text = canonicalJson(plainValue(message));
    this.#texts.set(message, text);
    return text;
  }

  #fail(error: unknown): void {
    if (this.#failure) return;
    this.#failure = { error };
    this.#listener?.onFailure(error);
  }
}

function additionOf([kind, body]: Write): Addition {
  const plain = plainValue(body) as JsonObject;
  const words = entryText({ kind, body: plain });
  return { kind, body: plain, ...(words ? { words } : {}) };
}
