import type { Agent, StampedEvent } from '../../agent/index.ts';
import { ToolfoldError } from '../../errors.ts';
import {
  createSession,
  forkSession,
  openSession,
  type Session,
  type SessionStore,
} from '../../sessions/index.ts';
import { newTitle } from '../sessions/index.ts';

/** Where a talk gets its agents from. */
export interface AgentSource {
  /**
   * Loads what an agent needs, and resolves with what creates it. Rejects with `invalid-option` without a
   * model.
   */
  prepare(): Promise<(session: Session) => Agent>;
  /** Makes what was chosen since valid for the next turn of the agent. */
  apply(agent: Agent): Promise<void>;
  /** The events of a turn, with advice where the provider refuses the key. */
  events(turn: AsyncIterable<StampedEvent>): AsyncIterable<StampedEvent>;
}

export interface TalkOptions {
  readonly store: SessionStore;
  readonly folder: string;
  readonly agents: AgentSource;
  /** The id of its session, which may be in the store already. Left out, a new session. */
  readonly id?: string;
}

/** One session at a time, with its agent, and one turn at a time. */
export class Talk {
  readonly #options: TalkOptions;
  #session: Session | undefined;
  #agent: Agent | undefined;
  #running:
    | {
        readonly stop: AbortController;
        readonly signal: AbortSignal;
        readonly ended: Promise<void>;
      }
    | undefined;

  constructor(options: TalkOptions) {
    this.#options = options;
  }

  /** Undefined before the first turn of a new conversation. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Undefined before the first turn. */
  get agent(): Agent | undefined {
    return this.#agent;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Aborts with the turn that runs. Undefined while none runs. */
  get signal(): AbortSignal | undefined {
    return this.#running?.signal;
  }

  /** Throws `invalid-option` while a turn is running. */
  checkIdle(): void {
    if (!this.#running) return;
    throw new ToolfoldError(
      'invalid-option',
      'A turn is running.',
      'Wait for its end, or cancel it with Esc.',
    );
  }

  /**
   * Uses this session from now on, or a new one. Rejects with `session-unknown`, and while a turn is running.
   */
  async open(id: string | undefined): Promise<void> {
    this.checkIdle();
    this.use(id === undefined ? undefined : await openSession(this.#options.store, id));
  }

  /** Uses a new session that shares the entries up to the number `at` (all). */
  async fork(at?: number): Promise<Session> {
    this.checkIdle();
    const session = this.#session;
    if (!session) {
      throw new ToolfoldError(
        'invalid-option',
        'There is nothing to fork yet.',
        'Write a message first.',
      );
    }
    const fork = await forkSession(await openSession(this.#options.store, session.id), at);
    this.use(fork);
    return fork;
  }

  /**
   * Forgets the agent and reads the session again if another process has written it since. Resolves with
   * whether it has.
   */
  async refresh(): Promise<boolean> {
    const session = this.#session;
    const record = session && (await session.store.get(session.id));
    if (!session || record?.seq === session.record.seq) return false;
    this.use(await openSession(session.store, session.id));
    return true;
  }

  /**
   * Runs `work` as the only turn. Its signal fires with those given, and when the turn is cancelled. Rejects
   * while a turn is running.
   */
  async alone<T>(
    work: (signal: AbortSignal) => Promise<T>,
    given: readonly AbortSignal[] = [],
  ): Promise<T> {
    this.checkIdle();
    const stop = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const signal = AbortSignal.any([stop.signal, ...given]);
    this.#running = { stop, signal, ended };
    try {
      return await work(signal);
    } finally {
      this.#running = undefined;
      resolve();
    }
  }

  /**
   * The agent with the present choices. Session and agent are created when they are first needed; the title of
   * the session begins with `words`. If no agent can be created, no session is.
   */
  async ready(words = ''): Promise<Agent> {
    const { agents, store } = this.#options;
    if (this.#agent) {
      await agents.apply(this.#agent);
      return this.#agent;
    }
    const begin = await agents.prepare();
    const known = this.#session ?? (await this.#stored());
    const session = known ?? (await this.#create(words));
    try {
      this.#agent = begin(session);
    } catch (error) {
      if (!known) await store.remove(session.id);
      throw error;
    }
    this.#session = session;
    return this.#agent;
  }

  /** The events of a turn of the agent, as they are shown. */
  events(turn: AsyncIterable<StampedEvent>): AsyncIterable<StampedEvent> {
    return this.#options.agents.events(turn);
  }

  /** Cancels the turn that runs. Resolves when it has ended. */
  async cancel(): Promise<void> {
    this.#running?.stop.abort(new Error('The user cancelled the turn.'));
    await this.#running?.ended;
  }

  /** The next turn creates an agent for this session. */
  protected use(session: Session | undefined): void {
    this.#session = session;
    this.#agent = undefined;
  }

  async #stored(): Promise<Session | undefined> {
    const { store, id } = this.#options;
    return id !== undefined && (await store.get(id)) ? openSession(store, id) : undefined;
  }

  #create(words: string): Promise<Session> {
    const { store, folder, id } = this.#options;
    return createSession(store, {
      folder,
      ...(id === undefined ? {} : { id }),
      ...newTitle(words),
    });
  }
}
