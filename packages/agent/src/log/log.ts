import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { type Hide, heldOutput, hidden } from '@toolfold/core/internal/host';
import type { JsonObject } from '@toolfold/core/internal/values';
import type { ModelMessage } from 'ai';
import {
  entryText,
  type Kinds,
  packed,
  plainValue,
  restored,
  type Write,
} from '../entries/index.ts';
import { type AgentEvent, plainFailure } from '../events/index.ts';
import { readUserMessage, type StampedEvent } from '../options/index.ts';
import type { Addition, Entry, PostedMessage, Session } from '../sessions/index.ts';
import { applyEntry, ConversationState, eventsOfEntry } from '../state/index.ts';
import { draftOf, ReceivedAnswer } from './received-answer.ts';
import { type LogItem, LogWriter, type WriterOptions } from './writer.ts';

/** What the holder of a log is told while it writes. */
interface LogListener {
  /** Called once if nothing can be written any more. */
  readonly onFailure: (error: unknown) => void;
  /** Called with each message of another process, whose entry is being written. Absent: messages wait. */
  readonly onMessage?: (message: PostedMessage) => void;
}

/** Receives each event. Resolves when its reader is ready for more. */
type Subscriber = (event: StampedEvent) => Promise<void>;

/** The events of an answer that is being received. */
const PIECES: ReadonlySet<AgentEvent['type']> = new Set([
  'text',
  'reasoning',
  'call',
  'call-delta',
]);

/**
 * The log of one conversation: entries, which are the truth, and between them deltas such as running text, which
 * are shown and not kept. Each event of an agent comes from the one who writes its entry or its delta. The state
 * follows from the entries, those that are being written included. A session makes the entries durable; an event
 * is emitted when its entry is. Without a session, the log keeps the state only.
 */
export class Log {
  readonly session: Session | undefined;
  /** Replaces secrets in what servers, providers and stores have written. */
  hide: Hide | undefined;
  /** What the entries say, those that are being written included. Nobody else changes it. */
  state: ConversationState;
  readonly #subscribers = new Set<Subscriber>();
  /** Set from `begin` to `end`. */
  #listener: LogListener | undefined;
  /** Whether `begin` has given the right to write. */
  #isBegun = false;
  readonly #writer: LogWriter;
  /** Results of tools that the store has not taken. */
  #unwritten: readonly Kinds['result'][] = [];
  /** How many deltas stand behind the last entry that has some. */
  #behind = { seq: 0, n: 0 };
  /** Resolves when nothing is written that does not belong to the present turn. Never rejects. */
  idle: Promise<void> = Promise.resolve();
  /** The answer that is being received. */
  open: ReceivedAnswer = new ReceivedAnswer();

  /** `given`: the messages of the app, if there is no session. `hasLater`: whether turns may follow the present one. */
  constructor(
    session: Session | undefined,
    given: readonly ModelMessage[] = [],
    { hasLater = true }: Pick<Partial<WriterOptions>, 'hasLater'> = {},
  ) {
    this.session = session;
    const show = (event: StampedEvent) => this.#emit(event);
    const onLost: WriterOptions['onLost'] = (lost, isFirst) => this.#lose(lost, isFirst);
    this.#writer = new LogWriter({ session, show, onLost, hasLater });
    this.state = session ? stateOf(session.entries) : new ConversationState(given);
  }

  /** Whether entries can be written now. */
  get isHeld(): boolean {
    return this.session === undefined || this.#isBegun;
  }

  /** Why nothing can be written any more. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#writer.failure;
  }

  /** Calls `subscriber` with each event from now on. Returns a function that ends this. */
  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /**
   * Takes the right to write. Resolves with whether another process has written meanwhile. Rejects with
   * `session-busy` while another one writes.
   */
  async begin(listener: LogListener): Promise<boolean> {
    const session = this.session;
    this.open = new ReceivedAnswer();
    this.#writer.begin();
    this.#listener = listener;
    if (!session) return false;
    try {
      await session.begin({
        onMessage: (message) => {
          if (!listener.onMessage) return;
          const isOfUser = readUserMessage(message) !== undefined;
          const isKnown = isOfUser && this.state.ids.has(message.id);
          // What the user wrote stays in the inbox until its own entry takes it. What was said is not said again.
          if (isKnown || !isOfUser) void this.append(['message', message]).catch(() => {});
          if (!isKnown) listener.onMessage(message);
        },
        onLost: (error) => this.#writer.fail(error),
        draft: () => draftOf(this.open, this.state.seq),
      });
      this.#isBegun = true;
    } catch (error) {
      this.#listener = undefined;
      throw error;
    }
    try {
      const hasChanged = await this.#catchUp(session);
      if (listener.onMessage) await session.look();
      return hasChanged;
    } catch (error) {
      await this.#end();
      throw error;
    }
  }

  /** Takes what other processes have posted until now. Never rejects: they are looked for again soon. */
  async look(): Promise<void> {
    await this.session?.look().catch(() => {});
  }

  /** Takes in what other processes have written, and writes what could not be written before. */
  async #catchUp(session: Session): Promise<boolean> {
    const rest = this.#unwritten;
    const { seq } = this.state;
    const at = session.entries.findLastIndex((entry) => entry.seq <= seq) + 1;
    const added = session.entries.slice(at);
    this.#unwritten = [];
    if (rest.length > 0) this.state = stateOf(session.entries);
    else for (const entry of added) applyEntry(this.state, read(entry));
    // What tools have done is known only as long as no other process has gone on without it.
    if (rest.length === 0 || added.length > 0) return added.length > 0;
    await this.append(...rest.map((result): Write => ['result', result]));
    return false;
  }

  /** Waits for everything that was given, and gives the right to write back. */
  end(): Promise<void> {
    return this.#busyWith(this.#end());
  }

  /** Gives the right to write back as soon as it comes: the one who began does not wait for it any more. */
  endWhen(begun: Promise<unknown>): void {
    const end = () => this.#end();
    void this.#busyWith(begun.then(end, () => {}));
  }

  async #end(): Promise<void> {
    await this.settled();
    this.#listener = undefined;
    this.#isBegun = false;
    await this.session?.end();
  }

  #busyWith<T>(work: Promise<T>): Promise<T> {
    // Without the results, which would hold those of all work before.
    this.idle = Promise.allSettled([this.idle, work]).then(() => {});
    return work;
  }

  /** Resolves when everything that was given so far is written, or cannot be. */
  settled(): Promise<void> {
    return this.#writer.settled();
  }

  /** Shows what waits to be written, and from now on each event at once. It is still written. */
  hurry(): void {
    this.#writer.hurry();
  }

  /**
   * Writes entries in one step. Resolves when they are durable and their events are emitted. Rejects if they cannot
   * be written; a result of a tool is then kept and written later.
   */
  append(...writes: readonly Write[]): Promise<void> {
    if (writes.length === 0) return Promise.resolve();
    if (this.failure || this.isHeld)
      return this.#writer.add(writes.map((write) => this.#take(write, isEmitted(write, writes))));
    const areEvents = writes.every(([kind]) => kind === 'event');
    return areEvents ? Promise.resolve() : Promise.reject(notHeld(this.session));
  }

  /** Emits an event that is not kept, behind what was given before. Never rejects: it is shown in any case. */
  emit(given: AgentEvent): Promise<void> {
    const event = this.#shown(given);
    const { seq } = this.state;
    this.#behind = this.#behind.seq === seq ? { seq, n: this.#behind.n + 1 } : { seq, n: 1 };
    const isPiece = PIECES.has(event.type) && this.open.attempt > 0;
    const place = { n: this.#behind.n, ...(isPiece ? { attempt: this.open.attempt } : {}) };
    return this.#writer.add([{ events: [this.#placed(event, place)] }]).catch(() => {});
  }

  /**
   * Emits an event of the agent that follows from no other entry: it is kept, unless it is only shown while it
   * happens. Never rejects: a log that cannot be written ends its turn.
   */
  report(given: AgentEvent): Promise<void> {
    const event = this.#shown(given);
    return isTransient(event)
      ? this.emit(event)
      : this.append(['event', { event }]).catch(() => {});
  }

  /** An event without secrets, if others have written its texts. What the model and the user write stays as it is. */
  #shown(event: AgentEvent): AgentEvent {
    return this.hide && OF_OTHERS.has(event.type) ? hidden(event, this.hide) : event;
  }

  /** An event with its place and time. */
  #placed(event: AgentEvent, place: Pick<StampedEvent, 'n' | 'attempt'> = {}): StampedEvent {
    const { seq, turn, step } = this.state;
    // What is hidden from JSON stays on the event.
    const all = Object.getOwnPropertyDescriptors(event);
    return Object.defineProperties(
      { seq, turn, step, at: Date.now(), ...place },
      all,
    ) as StampedEvent;
  }

  #take(write: Write, isShown: boolean): LogItem {
    const { state, failure } = this;
    const [kind] = write;
    const events = isShown ? [] : eventsOfEntry(write, state);
    const { write: kept, texts } = asEntry(write, state);
    const id = globalThis.crypto.randomUUID();
    // A conversation that is not kept has nothing else to read the entry from.
    const addition = this.session && { id, ...additionOf(kept) };
    if (!failure) {
      applyEntry(state, { id, seq: state.seq + 1, kind: kept[0], body: kept[1], at: Date.now() });
      if (kind === 'model' || kind === 'interrupted') this.open = new ReceivedAnswer();
    }
    return {
      write: kept,
      events: events.map((event) => this.#placed(event)),
      ...(addition ? { addition } : {}),
      ...(texts ? { texts } : {}),
    };
  }

  async #emit(event: StampedEvent): Promise<void> {
    await Promise.all([...this.#subscribers].map((subscriber) => subscriber(event)));
  }

  /** The turn ends with the first reason. What was given and is not written did not happen, but for results. */
  #lose(lost: readonly LogItem[], isFirst: boolean): void {
    if (isFirst && this.session) this.state = stateOf(this.session.entries);
    for (const { write } of lost) if (write) this.#keep(write);
    if (isFirst) this.#listener?.onFailure(this.failure?.error);
  }

  /** What tools have done is known here as long as no other process has taken the session. */
  #keep([kind, body]: Write): void {
    if (kind !== 'result' || !this.#writer.keepsResults) return;
    if (this.#unwritten.some(({ id }) => id === body.id)) return;
    this.#unwritten = [...this.#unwritten, body];
    applyEntry(this.state, { id: '', seq: this.state.seq, kind, body, at: Date.now() });
  }

  /** Writes what happened beside the turns, such as the usage of a quick question. */
  note(write: Write): Promise<void> {
    return this.#busyWith(this.idle.then(() => this.#note(write)));
  }

  async #note(write: Write): Promise<void> {
    if (this.#listener !== undefined || !this.session) return this.append(write);
    await this.begin({ onFailure: () => {} });
    try {
      await this.append(write);
    } finally {
      await this.end();
    }
  }
}

function notHeld(session: Session | undefined): ToolfoldError {
  return new ToolfoldError(
    'session-lost',
    `The session "${session?.id}" is not held by this process.`,
    'Another process may have taken it. Open it again.',
  );
}

/** Whether the event of an entry was emitted before: the calls of an answer are, while it arrives. */
function isEmitted([kind]: Write, writes: readonly Write[]): boolean {
  return kind === 'call' && writes[0]?.[0] === 'model';
}

/** The events whose texts come from servers, providers and stores. */
const OF_OTHERS: ReadonlySet<AgentEvent['type']> = new Set([
  'warning',
  'end',
  'retry',
  'fallback',
  'elicitation',
  'tool-progress',
  'tool-log',
]);

/** Whether an event is only shown while it happens. Subagents keep their own events, but the parent pays for them. */
function isTransient(event: AgentEvent): boolean {
  if (event.type === 'subagent')
    return event.event.type === 'subagent'
      ? isTransient(event.event)
      : event.event.type !== 'usage';
  return event.type === 'tool-progress' || event.type === 'tool-log';
}

/** A request is given as an event, and becomes an entry of its own. */
function asEntry(write: Write, state: ConversationState) {
  const [kind, body] = write;
  if (kind !== 'event' || body.event.type !== 'request') return { write, texts: undefined };
  return packed(body.event, state.request?.segments);
}

/** The state that entries of a session give. */
export function stateOf(entries: readonly Entry[]): ConversationState {
  const state = new ConversationState();
  for (const entry of entries) applyEntry(state, read(entry));
  return state;
}

function read(entry: Entry): Omit<Entry, 'body'> & { readonly body: unknown } {
  return { ...entry, body: restored(entry.body) };
}

function additionOf([kind, body]: Write): Addition {
  const given =
    kind === 'event'
      ? { event: plainEnd(body.event) }
      : kind === 'result'
        ? { ...body, output: heldOutput(body.output) }
        : body;
  const plain = plainValue(given) as JsonObject;
  const words = entryText({ kind, body: plain });
  const takes = takenBy([kind, body] as Write);
  return { kind, body: plain, ...takes, ...(words ? { words } : {}) };
}

/** The message of the inbox that an entry takes. */
function takenBy([kind, body]: Write): Pick<Addition, 'takes'> {
  if (kind === 'message') return { takes: body };
  if (kind !== 'user' || body.id === undefined) return {};
  // A message that its sender sends itself may also be in the inbox.
  return { takes: { id: body.id, at: body.posted ?? 0 } };
}

/** The event with an error as plain data. */
function plainEnd(event: AgentEvent): AgentEvent {
  if (event.type !== 'end' || !event.error) return event;
  return { ...event, error: plainFailure(event.error) };
}
