import type { AgentEvent, ScreenView, Spending } from '@toolfold/agent/internal/events';
import type { Agent, StampedEvent } from '@toolfold/agent/internal/options';
import {
  createSession,
  type Entry,
  forkSession,
  openSession,
  type Session,
} from '@toolfold/agent/internal/sessions';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { agentIn, type PartialChoices, type Settings } from '../agents/index.ts';
import { newTitle } from '../stored-sessions/index.ts';
import { contentOf, type MessageFile, usageError } from '../terminal/index.ts';
import type {
  Begin,
  ConversationOptions,
  ConversationStatus,
  RunningTurn,
  RunTurnOptions,
  TurnEnd,
} from './conversation-options.ts';
import { type AddedMessage, MessageQueue, type QueuedMessage } from './message-queue.ts';
import { QuickQuestions } from './quick-questions.ts';
import { ContinueOffer, RemoteQuestions } from './remote-questions.ts';
import { RemoteTurn } from './remote-turn.ts';
import { reopened, SessionView, ShownTexts } from './session-view.ts';

/**
 * One session at a time under the hands of a user, with its agent, one turn at a time, messages that wait, and turns of
 * other processes. All that it shows comes from the events of the agent and from the entries of the session.
 */
export class Conversation {
  readonly settings: Settings;
  readonly quick: QuickQuestions = new QuickQuestions({
    entries: () => this.entries,
    agent: async () => this.#agent ?? (await this.ready()),
    onChange: () => this.#changed(),
  });
  /** The turn of another process. */
  readonly remote: RemoteTurn = new RemoteTurn(() => this.#elsewhere);
  readonly #options: ConversationOptions;
  readonly #asked: RemoteQuestions | undefined;
  readonly #queue: MessageQueue;
  #session: Session | undefined;
  #agent: Agent | undefined;
  #running: RunningTurn | undefined;
  /** The event that is being taken. */
  #taking: Promise<void> | undefined;
  #hasBegun = false;
  #sending: string | undefined;
  /** Undefined if nothing is shown. */
  readonly #shown: SessionView | undefined;
  #wasElsewhere = false;
  readonly #offer: ContinueOffer = new ContinueOffer();

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.settings = options.settings;
    const { asker, watch, agents, waiting } = options;
    const onError = watch?.onError ?? (() => {});
    this.#queue = new MessageQueue({
      ...{ waiting, onError, session: () => this.#session?.id ?? options.id },
      ...{ entries: () => this.entries, followed: () => this.#elsewhere },
    });
    if (!watch) return;
    this.#shown = new SessionView(watch, () => {
      this.#queue.settle();
      this.#changed();
      if (!this.areLeft) this.#next();
    });
    const unknown = async (session: Session) => (await agents.unknown?.(session)) ?? [];
    if (asker) this.#asked = new RemoteQuestions({ asker, onError, unknown });
  }

  /** Undefined before the first turn of a new conversation. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Undefined before the first turn. */
  get agent(): Agent | undefined {
    return this.#agent;
  }

  get view(): ScreenView {
    return this.#shown?.view ?? { turns: [] };
  }

  get state(): ConversationStatus {
    if (this.#running) return 'running';
    return this.#elsewhere ? 'elsewhere' : 'idle';
  }

  /** The session in which another process runs a turn. */
  get #elsewhere(): SessionView['elsewhere'] {
    return this.#running ? undefined : this.#shown?.elsewhere;
  }

  /** What the session has, as far as it is known here: also what another process has written. */
  get entries(): readonly Entry[] {
    const [own, followed] = [this.#session?.entries ?? [], this.#shown?.entries ?? []];
    return followed.length > own.length ? followed : own;
  }

  /** Whether a turn runs here that was not cancelled yet. */
  get canCancel(): boolean {
    return this.#running?.stop.signal.aborted === false;
  }

  /** Seconds until a request that failed is sent again. Undefined if none waits for that. */
  get secondsToRetry(): number | undefined {
    return this.canCancel ? this.#shown?.secondsToRetry : undefined;
  }

  /** Messages that wait until the turn has ended, as the user typed them; `messages` with their ids. */
  get queue(): readonly string[] {
    return this.#queue.texts;
  }

  get messages(): readonly QueuedMessage[] {
    return this.#queue.messages;
  }

  /** Whether those are messages that another process has left. The next turn here sends them. */
  get areLeft(): boolean {
    return this.#queue.areLeft;
  }

  /** What stood in the message box when another process of the session ended. */
  takeDrafts(): readonly string[] {
    return this.#queue.drafts.splice(0);
  }

  /** The message of the turn that begins: its agent is not ready, and no event shows it yet. */
  get sending(): string | undefined {
    return this.#sending;
  }

  /** What was spent beside the turns of the session: on quick questions, and in this process on its title. */
  get besides(): Spending | undefined {
    return this.#session && this.quick.spentWith(this.#options.titles?.spentIn(this.#session.id));
  }

  /** Throws `invalid-option` while a turn is running. */
  checkIdle(): void {
    if (this.#running) throw usageError('A turn is running.', 'Wait for its end, or press Esc.');
  }

  /** Shows a session, or a new one. Rejects with `session-unknown`, and while a turn is running. */
  async open(id: string | undefined): Promise<void> {
    this.checkIdle();
    await this.#queue.leave();
    const opened = id === undefined ? undefined : await openSession(this.#options.store, id);
    [this.#session, this.#agent] = [opened, undefined];
    this.settings.follow(this.#session?.entries ?? [], id === undefined);
    await this.#shown?.showAnother(this.#session);
    await this.#queue.takeLeft();
    this.#options.onOpened?.(this.#session);
    this.#changed();
  }

  /** Goes on in a new session that shares the entries up to the number `at` (all). */
  async fork(at?: number): Promise<Session> {
    this.checkIdle();
    if (!this.#session) throw usageError('There is nothing to fork yet.', 'Write a message first.');
    const fork = await forkSession(await openSession(this.#options.store, this.#session.id), at);
    await this.#queue.leave();
    [this.#session, this.#agent] = [fork, undefined];
    this.settings.follow(fork.entries, true);
    await this.#shown?.showAnother(fork);
    this.#changed();
    return fork;
  }

  /** Changes what the next turn uses. Rejects while a turn is running, and as `AgentSource.apply`. */
  async choose(choice: PartialChoices): Promise<void> {
    this.checkIdle();
    await this.#options.agents.apply(this.#agent, choice);
    this.settings.choose(choice);
    this.#changed();
  }

  /** Turns tools on or off, also while a turn is running. */
  setTools(on: boolean): void {
    this.settings.choose({ areToolsOn: on });
    this.#agent?.setTools(on);
    this.#changed();
  }

  /**
   * The agent with the present choices. Session and agent are created when they are first needed; the title of
   * the session begins with `words`. If no agent can be created, no session is.
   */
  async ready(words = ''): Promise<Agent> {
    const { agents, store, folder, id } = this.#options;
    if (this.#agent) await agents.apply(this.#agent);
    if (this.#agent) return this.#agent;
    const begin = await agents.prepare();
    const named = id === undefined ? {} : { id };
    const create = () => createSession(store, { folder, ...named, ...newTitle(words) });
    const [session, agent] = await agentIn(store, this.#session, create, begin);
    [this.#session, this.#agent] = [session, agent];
    this.#queue.keep();
    await this.#shown?.show(session);
    this.#changed();
    return agent;
  }

  /** Sends a message. A turn that runs, also elsewhere, gets it with its next request. Resolves when it is kept. */
  async say(text: string, more: AddedMessage = {}): Promise<void> {
    // One that an earlier process has left is sent when it is said again.
    if (this.#queue.add(text, more) || this.areLeft) {
      this.#changed();
      this.#next();
    }
    await this.#queue.written();
  }

  /** Takes back the messages that wait, or one of them. */
  unqueue(id?: string): readonly string[] {
    if (id === undefined) this.#running?.back.abort();
    const taken = id === undefined ? this.#queue.clear() : this.#queue.takeBack(id);
    this.#changed();
    return taken;
  }

  /** Runs the turn of a message. Rejects as `turn`. */
  send(text: string, files?: readonly MessageFile[]): Promise<TurnEnd> {
    const content = contentOf({ text, files });
    return this.turn((agent, signal) => agent.send(content, { signal }), { title: text });
  }

  /** Goes on with a turn that stopped in its middle. `given` cancels it. */
  async resume(given?: AbortSignal): Promise<void> {
    this.checkIdle();
    if (this.#session) await this.turn((agent, signal) => agent.resume({ signal }), { given });
  }

  /** Replaces the earlier part of the conversation by a summary. `given` cancels that. */
  compact(given?: AbortSignal): Promise<TurnEnd> {
    return this.turn((agent, signal) => agent.compact({ signal }), { given });
  }

  /**
   * Runs one turn, and resolves with its end. `given` cancels it. Then the next message that waits is sent, unless the
   * turn was cancelled. Rejects while a turn is running, with `session-unknown` if the session was removed, and with
   * `session-busy`.
   */
  async turn(begin: Begin, { title, given, message }: RunTurnOptions = {}): Promise<TurnEnd> {
    this.checkIdle();
    // This turn decides what becomes of the one before.
    this.#offer.takeBack();
    this.#options.titles?.stop();
    const [stop, back] = [new AbortController(), new AbortController()];
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const signal = given ? AbortSignal.any([stop.signal, given]) : stop.signal;
    this.#running = { stop, back, ended };
    this.#hasBegun = false;
    this.#sending = title;
    this.#queue.begin(message);
    const shown = new ShownTexts<StampedEvent>(this.#options.secrets);
    let last: AgentEvent | undefined;
    try {
      this.#shown?.pause();
      this.#changed();
      const changed = this.#session && (await reopened(this.#session));
      if (changed) [this.#session, this.#agent] = [changed, undefined];
      if (changed) await this.#options.onReread?.();
      if (this.#session && this.#shown?.isUpTo(this.#session) === false)
        await this.#shown.showAnother(this.#session);
      const agent = await this.ready(title);
      // A new session was followed as soon as it was shown.
      this.#shown?.pause();
      const events = this.#options.agents.events(await begin(agent, signal));
      // An event that cannot be taken ends the turn.
      for await (const event of events) {
        last = event;
        this.#taking = this.#take(event, shown);
        await this.#taking;
        this.#taking = undefined;
      }
    } finally {
      this.#taking = undefined;
      back.abort();
      if (this.#session) this.#shown?.follow(this.#session);
      this.#running = undefined;
      this.#sending = undefined;
      this.#queue.end(this.#hasBegun);
      resolve();
      this.#changed();
    }
    // A turn of another process has taken the message, so none has begun here.
    if (message && this.#queue.isSent(message.id))
      last ??= { type: 'end', reason: 'done', text: '' };
    if (last?.type !== 'end') throw new Error('The turn ended without its last event.');
    const { titles, watch } = this.#options;
    if (last.reason === 'done' && this.#session)
      void titles?.begin(this.#session).then(() => watch?.onChange());
    if (last.reason !== 'cancelled') this.#next();
    return last;
  }

  /**
   * Resolves when all events that have happened are taken. A question about a call waits for this, so that it comes
   * behind what was said before.
   */
  async caughtUp(): Promise<void> {
    do {
      await this.#taking?.catch(() => {});
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#taking);
  }

  /** Cancels the turn that runs. Resolves when it has ended here. For another process, see `RemoteTurn.cancel`. */
  async cancel(): Promise<void> {
    if (!(await this.remote.cancel())) await this.cancelHere();
  }

  /** Stops one subagent by its name, at any level. Resolves with whether it was, or another process was asked to. */
  async cancelSubagent(child: string): Promise<boolean> {
    if (await this.remote.cancelSubagent(child)) return true;
    return (await this.#agent?.cancelSubagent(child)) ?? false;
  }

  /** Cancels the turn that runs in this process. Resolves when it has ended. */
  async cancelHere(): Promise<void> {
    this.#running?.stop.abort(new Error('The user cancelled the turn.'));
    await this.#running?.ended;
  }

  /** Offers to go on with a turn that stopped in its middle. Nothing runs or is sent before the user says so. */
  async offerToContinue(): Promise<void> {
    const { asker, watch } = this.#options;
    if (!this.#session || !asker || this.settings.modelOf() === undefined) return;
    const answer = await this.#offer.ask(this.#session, asker, () => this.state === 'idle');
    if (answer === 'yes') await this.resume();
    if (answer === 'gone') watch?.onError(new Error('Another process has ended this turn.'));
  }

  /** Ends the turn and what follows the session. `draft`: what stands in the message box. */
  async close(draft = ''): Promise<void> {
    const isKept = this.#queue.close(draft);
    this.#options.titles?.stop();
    this.#offer.takeBack();
    await this.cancelHere();
    await isKept;
    this.#shown?.pause();
  }

  async #take(event: StampedEvent, shown: ShownTexts<StampedEvent>): Promise<void> {
    // No turn has begun.
    if (event.type === 'end' && event.code === 'session-busy') throw event.error;
    this.#hasBegun = true;
    this.#shown?.take(event);
    if (event.type === 'user') {
      this.#sending = undefined;
      this.#queue.settle();
    }
    this.#next();
    for (const one of shown.of(event)) await this.#options.take?.(one);
    this.#changed();
  }

  #next(): void {
    if (this.#hasBegun) this.#queue.offer(this.#agent, this.#running?.back.signal);
    if (this.state !== 'idle') return;
    const message = this.#queue.shift();
    if (message === undefined) return;
    const { id, text: title } = message;
    const begin: Begin = (agent, signal) => agent.send(contentOf(message), { id, signal });
    void this.turn(begin, { title, message }).catch((error) => {
      const code = error instanceof ToolfoldError ? error.code : undefined;
      // The model does not take its files.
      if (message.files && code === 'invalid-option') this.#queue.remove(message);
      // The turn of the other process gets it.
      if (code === 'session-busy') this.#shown?.expectHeld();
      else this.#options.watch?.onError(error);
      this.#changed();
    });
  }

  /** Shows what has changed, and asks here what another process asks its user. */
  #changed(): void {
    const { watch } = this.#options;
    if (!watch) return;
    const wasElsewhere = this.#wasElsewhere;
    this.#wasElsewhere = this.state === 'elsewhere';
    // Another process goes on with the turn, or begins another one.
    if (this.#wasElsewhere) this.#offer.takeBack();
    else this.remote.ended();
    this.#queue.post();
    // The other process may have ended in the middle of its turn.
    if (wasElsewhere && this.state === 'idle' && (this.areLeft || this.queue.length === 0))
      void this.offerToContinue().catch(watch.onError);
    void this.#asked?.follow(this.#elsewhere, this.view).catch(watch.onError);
    watch.onChange();
  }
}
