import {
  type Agent,
  type AgentSettings,
  createScreen,
  type QuickAnswer,
  type Screen,
  type ScreenView,
  type StampedEvent,
} from '../../../agent/index.ts';
import { ToolfoldError } from '../../../errors.ts';
import {
  createSession,
  forkSession,
  openSession,
  type Session,
  type SessionStore,
} from '../../../sessions/index.ts';
import { newTitle } from '../../sessions/index.ts';
import { Follower } from './follower.ts';
import { rebuiltView, withoutOpenAnswer } from './rebuilt-view.ts';

/** What creates the agent of a session. */
export interface Prepared {
  readonly begin: (session: Session) => Agent;
  /** The events of a turn, with advice where the provider refuses the key. */
  readonly events: (turn: AsyncIterable<StampedEvent>) => AsyncIterable<StampedEvent>;
}

/** What a talk needs of the program around it. */
export interface TalkOptions {
  readonly store: SessionStore;
  readonly folder: string;
  /** Loads what an agent needs. Rejects with `invalid-option` without a model. */
  readonly prepare: () => Promise<Prepared>;
  /** Called with every change of what is shown. */
  readonly onChange: () => void;
  /** Gets what went wrong outside a turn. */
  readonly onError: (error: unknown) => void;
}

/**
 * `idle`: it waits for the user. `running`: a turn runs here. `elsewhere`: another process runs a turn of
 * this session, which is followed.
 */
export type TalkState = 'idle' | 'running' | 'elsewhere';

/**
 * One conversation at a time, and what is seen of it. All that it shows comes from the events of the agent
 * and from the entries of the session.
 */
export class Talk {
  readonly #options: TalkOptions;
  #session: Session | undefined;
  #agent: Agent | undefined;
  #events: Prepared['events'] = (turn) => turn;
  #screen: Screen = createScreen();
  #follower: Follower | undefined;
  #running: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  #isElsewhere = false;
  readonly #queue: string[] = [];

  constructor(options: TalkOptions) {
    this.#options = options;
  }

  get view(): ScreenView {
    return this.#screen.view;
  }

  get state(): TalkState {
    if (this.#running) return 'running';
    return this.#isElsewhere ? 'elsewhere' : 'idle';
  }

  /** Messages that wait until the turn has ended. */
  get queue(): readonly string[] {
    return this.#queue;
  }

  /** Undefined before the first message of a new conversation. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Undefined before the first turn. */
  get agent(): Agent | undefined {
    return this.#agent;
  }

  /** Shows this session, or a new one. Rejects with `session-unknown`, and while a turn is running. */
  async open(id: string | undefined): Promise<void> {
    this.#checkIdle();
    this.#leave();
    if (id === undefined) {
      this.#options.onChange();
      return;
    }
    const session = await openSession(this.#options.store, id);
    await this.#show(session);
  }

  /** Shows a new session that shares the entries up to the number `at` (all). */
  async fork(at?: number): Promise<Session> {
    this.#checkIdle();
    const session = this.#session;
    if (!session) {
      throw new ToolfoldError(
        'invalid-option',
        'There is nothing to fork yet.',
        'Write a message first.',
      );
    }
    const fork = await forkSession(await openSession(this.#options.store, session.id), at);
    this.#leave();
    await this.#show(fork);
    return fork;
  }

  /**
   * Sends a message. While a turn runs, here or elsewhere, it waits. If its turn can not begin, it waits for
   * the next one.
   */
  say(text: string): void {
    this.#queue.push(text);
    this.#options.onChange();
    this.#next();
  }

  /**
   * Sends a message, and resolves when its turn has ended. `watch` gets its events. Rejects while a turn is
   * running, and with `session-busy` if it runs in another process.
   */
  send(text: string, watch?: (event: StampedEvent) => void): Promise<void> {
    return this.#turn(async (agent) => (signal) => agent.send(text, { signal }), {
      title: text,
      ...(watch ? { watch } : {}),
    });
  }

  /** Takes back the messages that wait. */
  unqueue(): readonly string[] {
    const taken = this.#queue.splice(0);
    this.#options.onChange();
    return taken;
  }

  /** Cancels the turn that runs here. Resolves when it has ended. */
  async cancel(): Promise<void> {
    this.#running?.stop.abort(new Error('The user cancelled the turn.'));
    await this.#running?.ended;
  }

  /** Goes on with a turn that stopped in its middle. */
  async resume(): Promise<void> {
    if (!this.#session) return;
    if (await this.#isOutdated()) await this.renew();
    const session = this.#session;
    await this.#turn(async (agent) => {
      // The last answer is emitted again.
      const entries = withoutOpenAnswer(session.entries);
      const view = await rebuiltView(session.store, session.id, entries);
      this.#screen = createScreen(view);
      return (signal) => agent.resume({ signal });
    });
  }

  /** Replaces the earlier part of the conversation by a summary. */
  async compact(): Promise<void> {
    await this.#turn(async (agent) => (signal) => agent.compact({ signal }));
  }

  /** Asks outside the conversation. */
  async ask(text: string, signal: AbortSignal): Promise<QuickAnswer> {
    const agent = await this.#ready();
    return agent.ask(text, { signal });
  }

  /** Changes settings of the agent, if there is one yet. */
  configure(changes: AgentSettings): void {
    this.#checkIdle();
    this.#agent?.configure(changes);
    this.#options.onChange();
  }

  /** Forgets the agent: the next turn creates one, with the same session. */
  async renew(): Promise<void> {
    this.#checkIdle();
    this.#agent = undefined;
    const session = this.#session;
    if (session) this.#session = await openSession(this.#options.store, session.id);
  }

  /** Ends the turn and what follows the session. */
  async close(): Promise<void> {
    this.#queue.length = 0;
    await this.cancel();
    this.#follower?.stop();
  }

  #checkIdle(): void {
    if (!this.#running) return;
    throw new ToolfoldError(
      'invalid-option',
      'A turn is running.',
      'Wait for its end, or cancel it with Esc.',
    );
  }

  /** Whether another process has written the session since: the agent does not know what can go on. */
  async #isOutdated(): Promise<boolean> {
    const session = this.#session;
    const record = session && (await session.store.get(session.id));
    return record?.seq !== session?.record.seq;
  }

  #leave(): void {
    this.#follower?.stop();
    this.#follower = undefined;
    this.#session = undefined;
    this.#agent = undefined;
    this.#isElsewhere = false;
    this.#screen = createScreen();
  }

  async #show(session: Session): Promise<void> {
    this.#session = session;
    const { store, onError } = this.#options;
    const view = await rebuiltView(store, session.id, session.entries);
    this.#screen = createScreen(view);
    this.#follower = new Follower(store, session.id, {
      onError,
      onChange: ({ view, isHeld }) => {
        if (this.#running) return;
        this.#screen = createScreen(view);
        this.#isElsewhere = isHeld;
        this.#options.onChange();
        this.#next();
      },
    });
    this.#follower.start(session.entries, view);
    await this.#follower.look();
    this.#options.onChange();
  }

  #next(): void {
    if (this.state !== 'idle') return;
    const text = this.#queue.shift();
    if (text === undefined) return;
    let hasBegun = false;
    const watch = () => {
      hasBegun = true;
    };
    void this.send(text, watch).catch((error) => {
      // A message that could not be sent stays.
      if (!hasBegun) this.#queue.unshift(text);
      if (error instanceof ToolfoldError && error.code === 'session-busy') {
        // It waits for the other process.
        this.#isElsewhere = true;
        this.#follower?.expectHeld();
        void this.#follower?.look();
      } else this.#options.onError(error);
      this.#options.onChange();
    });
  }

  /** The agent of the session; both are created when they are first needed. */
  async #ready(title = ''): Promise<Agent> {
    if (this.#agent) return this.#agent;
    const { begin, events } = await this.#options.prepare();
    if (!this.#session) {
      const { store, folder } = this.#options;
      await this.#show(await createSession(store, { folder, ...newTitle(title) }));
    }
    this.#events = events;
    this.#agent = begin(this.#session as Session);
    return this.#agent;
  }

  /** Runs one turn, and then the next message that waits. */
  async #turn(
    prepare: (agent: Agent) => Promise<(signal: AbortSignal) => AsyncIterable<StampedEvent>>,
    { title, watch }: { title?: string; watch?: (event: StampedEvent) => void } = {},
  ): Promise<void> {
    this.#checkIdle();
    const stop = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    this.#running = { stop, ended };
    this.#follower?.stop();
    this.#options.onChange();
    try {
      const agent = await this.#ready(title);
      this.#follower?.stop();
      const turn = await prepare(agent);
      for await (const event of this.#events(turn(stop.signal))) {
        this.#screen.take(event);
        watch?.(event);
        this.#options.onChange();
      }
    } finally {
      this.#running = undefined;
      const session = this.#session;
      if (session) this.#follower?.start(session.entries, this.#screen.view);
      resolve();
      this.#options.onChange();
    }
    this.#next();
  }
}
