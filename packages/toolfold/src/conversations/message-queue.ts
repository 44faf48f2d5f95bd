import { randomUUID } from 'node:crypto';
import { type Agent, inboxMessage } from '@toolfold/agent/internal/options';
import type { Entry, Session } from '@toolfold/agent/internal/sessions';
import type { WaitingMessage, WaitingMessages } from '../stored-sessions/index.ts';
import { contentOf } from '../terminal/index.ts';

interface QueueOptions {
  /** The id of the session whose turns the messages wait for, also before it is created. */
  readonly session: () => string | undefined;
  /** What is known of its entries, also of those that another process has written. */
  readonly entries: () => readonly Entry[];
  /** The session in which another process runs a turn. */
  readonly followed: () => Pick<Session, 'store' | 'id'> | undefined;
  /** Where they are kept. Left out, they end with the process. */
  readonly waiting: WaitingMessages | undefined;
  readonly onError: (error: unknown) => void;
}

/** What a message has beside its text. One with the id of an earlier one is that message, and nothing is sent. */
export type AddedMessage = Partial<Pick<WaitingMessage, 'typed' | 'files' | 'id' | 'when'>>;

/** A message that waits. */
export interface QueuedMessage {
  readonly id: string;
  /** As the user typed it. */
  readonly text: string;
  readonly isLeft: boolean;
}

/** Messages that wait for their turns, in order. Each is kept until its session has it. */
export class MessageQueue {
  readonly #options: QueueOptions;
  readonly #messages: WaitingMessage[] = [];
  /** What stood in the message boxes of processes that have ended. */
  readonly drafts: string[] = [];
  /** What takes back those that the turn has, by their ids. */
  readonly #offered = new Map<string, AbortController>();
  /** The ids of those that the inbox of the session has. They cannot be taken back. */
  readonly #posted = new Set<string>();
  #posting: Promise<void> | undefined;
  /** Whether the inbox could not be written. What comes later must not go before what waits here. */
  #isInboxClosed = false;
  #sent: WaitingMessage | undefined;
  /** The ids of those that another process has left. */
  readonly #left = new Set<string>();
  #isClosed = false;
  /** Settles when they are written. */
  #kept: Promise<void> | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** As the user typed them. */
  get texts(): readonly string[] {
    return this.#messages.map(({ text, typed = text }) => typed);
  }

  /** The messages with their ids. `isLeft`: another process has left it. */
  get messages(): readonly QueuedMessage[] {
    return this.#messages.map(({ id, text, typed = text }) => ({
      ...{ id, text: typed, isLeft: this.#left.has(id) },
    }));
  }

  /** Whether they are messages that another process has left. The next turn here sends them. */
  get areLeft(): boolean {
    return this.#messages.some(({ id }) => this.#left.has(id));
  }

  /** Adds a message at the end. Does nothing if one with this id waits, or is in the session. Returns whether it was added. */
  add(text: string, { typed, files, when, id = randomUUID() }: AddedMessage): boolean {
    const isKnown =
      this.isSent(id) || [this.#sent, ...this.#messages].some((one) => one?.id === id);
    if (isKnown) return false;
    this.#messages.push({ id, text, files, typed, when });
    this.keep();
    return true;
  }

  /** Whether the session has a message with this id. */
  isSent(id: string): boolean {
    return this.#options.entries().some(({ kind, body }) => kind === 'user' && body.id === id);
  }

  /** Gives the turn that runs what the user has written since it began. It waits here until the session has it. */
  offer(agent: Agent | undefined, signal: AbortSignal | undefined): void {
    if (!agent || !signal) return;
    for (const message of this.#messages) {
      const { id, when } = message;
      if (when === 'after' || this.#offered.has(id)) continue;
      const back = new AbortController();
      this.#offered.set(id, back);
      // Its events are not read, so that it begins no turn of its own.
      try {
        agent.send(contentOf(message), {
          ...{ id, when: 'now', signal: AbortSignal.any([signal, back.signal]) },
        });
      } catch {
        // What the model does not take is refused when its own turn begins.
      }
    }
  }

  /**
   * Gives the turn that another process runs what the user has written here, in order, through the inbox of the session.
   * It waits here until the session has it: if that turn ends before, a turn of its own sends it. Files wait for that.
   */
  post(): void {
    const session = this.#options.followed();
    if (!session || this.#posting || this.#isInboxClosed) return;
    const message = this.#messages.find(
      ({ id, when, files }) => !when && !files && !this.#posted.has(id) && !this.#left.has(id),
    );
    if (!message) return;
    const { id, text } = message;
    this.#posted.add(id);
    this.#posting = session.store
      .post(session.id, inboxMessage('user', { text, when: 'now' }, id))
      .catch((error) => {
        this.#posted.delete(id);
        this.#isInboxClosed = true;
        this.#options.onError(error);
      })
      .finally(() => {
        this.#posting = undefined;
        this.post();
      });
  }

  /** A turn has taken a message: what the session has does not wait any more. */
  settle(): void {
    const left = this.#messages.filter(({ id }) => !this.isSent(id));
    if (left.length === this.#messages.length) return;
    this.#messages.splice(0, Number.POSITIVE_INFINITY, ...left);
    this.keep();
  }

  /** Takes out the first one. */
  shift(): WaitingMessage | undefined {
    return this.#messages.shift();
  }

  /** Takes out one that can never be sent. */
  remove(message: WaitingMessage): void {
    const at = this.#messages.indexOf(message);
    if (at >= 0) this.#messages.splice(at, 1);
    this.keep();
  }

  /** Takes back one that waits, unless a turn has it. Returns its text. */
  takeBack(id: string): readonly string[] {
    const message = this.#messages.find((one) => one.id === id);
    if (!message || this.#posted.has(id) || this.isSent(id)) return [];
    this.#offered.get(id)?.abort();
    this.remove(message);
    return [message.typed ?? message.text];
  }

  /** Resolves when what waits is written. */
  async written(): Promise<void> {
    await this.#kept;
  }

  /** Takes out all that the user can take back. */
  clear(): readonly string[] {
    const { texts } = this;
    const posted = this.#messages.filter(({ id }) => this.#posted.has(id));
    const taken = texts.filter((_, at) => !this.#posted.has(this.#messages[at]?.id ?? ''));
    this.#messages.splice(0, Number.POSITIVE_INFINITY, ...posted);
    this.keep();
    return taken;
  }

  /** Another session will be shown. What the inbox of this one has is said there. */
  async leave(): Promise<void> {
    while (this.#posting) await this.#posting;
    const left = this.#messages.filter(({ id }) => !this.#posted.has(id));
    this.#messages.splice(0, Number.POSITIVE_INFINITY, ...left);
    this.#isInboxClosed = false;
  }

  /** A turn begins, which sends this message. */
  begin(message: WaitingMessage | undefined): void {
    this.#sent = message;
    this.#left.clear();
    this.#isInboxClosed = false;
  }

  /** The turn has ended. A message that could not be sent stays. */
  end(wasSent: boolean): void {
    this.#offered.clear();
    if (!this.#sent) return;
    if (!wasSent && !this.isSent(this.#sent.id)) this.#messages.unshift(this.#sent);
    this.#sent = undefined;
    this.keep();
  }

  /** Takes over what another process has left for the session, unless a turn there has it. */
  async takeLeft(): Promise<void> {
    const session = this.#options.session();
    const left =
      (session === undefined ? undefined : await this.#options.waiting?.take(session)) ?? [];
    const taken = new Set<string>();
    // Where a process has ended while it took them, they are there twice.
    for (const one of left.filter(({ id }) => !this.isSent(id) && !taken.has(id) && taken.add(id)))
      one.isDraft ? this.drafts.push(one.text) : this.#messages.push(one);
    this.#left.clear();
    if (left.length > 0) for (const { id } of this.#messages) this.#left.add(id);
    this.keep();
  }

  /** Writes what waits. The message of the turn that runs may not be in the session yet. */
  keep(): void {
    const { waiting, session, onError } = this.#options;
    if (this.#isClosed) return;
    const all = [...(this.#sent ? [this.#sent] : []), ...this.#messages];
    this.#kept = waiting?.keep(session(), all).catch(onError);
  }

  /** Nothing is sent any more. What waits is kept for the next process, with the draft. Resolves when it is written. */
  async close(draft: string): Promise<void> {
    if (draft !== '') this.#messages.push({ id: randomUUID(), text: draft, isDraft: true });
    this.keep();
    this.#isClosed = true;
    this.#messages.length = 0;
    await this.#kept;
  }
}
