import {
  type Agent,
  createScreen,
  type QuickAnswer,
  type Screen,
  type ScreenView,
  type StampedEvent,
} from '../../agent/index.ts';
import { ToolfoldError } from '../../errors.ts';
import type { Session, SessionStore } from '../../sessions/index.ts';
import { Follower } from './follower.ts';
import { rebuiltView } from './rebuilt-events.ts';
import { Talk, type TalkOptions } from './talk.ts';

/** What a watched talk needs of the program around it. */
export interface WatchedTalkOptions extends TalkOptions {
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
 * A talk with what is seen of it, and with messages that wait. All that it shows comes from the events of
 * the agent and from the entries of the session.
 */
export class WatchedTalk extends Talk {
  readonly #options: WatchedTalkOptions;
  #screen: Screen = createScreen();
  #follower: Follower | undefined;
  #isElsewhere = false;
  readonly #queue: string[] = [];

  constructor(options: WatchedTalkOptions) {
    super(options);
    this.#options = options;
  }

  get view(): ScreenView {
    return this.#screen.view;
  }

  get state(): TalkState {
    if (this.isRunning) return 'running';
    return this.#isElsewhere ? 'elsewhere' : 'idle';
  }

  /** Messages that wait until the turn has ended. */
  get queue(): readonly string[] {
    return this.#queue;
  }

  override async open(id: string | undefined): Promise<void> {
    await super.open(id);
    this.#leave();
    await this.#show();
  }

  override async fork(at?: number): Promise<Session> {
    const fork = await super.fork(at);
    this.#leave();
    await this.#show();
    return fork;
  }

  override async ready(words?: string): Promise<Agent> {
    const agent = await super.ready(words);
    if (!this.#follower) await this.#show();
    return agent;
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
    return this.#turn((agent, signal) => agent.send(text, { signal }), text, watch);
  }

  /** Takes back the messages that wait. */
  unqueue(): readonly string[] {
    const taken = this.#queue.splice(0);
    this.#options.onChange();
    return taken;
  }

  /** Goes on with a turn that stopped in its middle. */
  async resume(): Promise<void> {
    this.checkIdle();
    await this.refresh();
    if (this.session) await this.#turn((agent, signal) => agent.resume({ signal }));
  }

  /** Replaces the earlier part of the conversation by a summary. */
  compact(): Promise<void> {
    return this.#turn((agent, signal) => agent.compact({ signal }));
  }

  /** Asks outside the conversation, also while a turn is running. */
  async ask(text: string, signal: AbortSignal): Promise<QuickAnswer> {
    const agent = this.agent ?? (await this.ready());
    return agent.ask(text, { signal });
  }

  /** Ends the turn and what follows the session. */
  async close(): Promise<void> {
    this.#queue.length = 0;
    await this.cancel();
    this.#follower?.stop();
  }

  #leave(): void {
    this.#follower?.stop();
    this.#follower = undefined;
    this.#isElsewhere = false;
    this.#screen = createScreen();
  }

  /** Shows the session, and follows it. */
  async #show(): Promise<void> {
    const { session } = this;
    if (session) {
      const { store, id, entries } = session;
      const view = await rebuiltView(store, id, entries);
      this.#screen = createScreen(view);
      this.#follower = this.#followerOf(store, id);
      this.#follower.start(entries, view);
      await this.#follower.look();
    }
    this.#options.onChange();
  }

  #followerOf(store: SessionStore, id: string): Follower {
    return new Follower(store, id, {
      onError: this.#options.onError,
      onChange: ({ view, isHeld }) => {
        if (this.isRunning) return;
        this.#screen = createScreen(view);
        this.#isElsewhere = isHeld;
        this.#options.onChange();
        this.#next();
      },
    });
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

  /** Runs one turn, and then the next message that waits. */
  async #turn(
    begin: Begin,
    title?: string,
    watch: (event: StampedEvent) => void = () => {},
  ): Promise<void> {
    const { onChange } = this.#options;
    this.checkIdle();
    try {
      await this.alone(async (signal) => {
        this.#follower?.stop();
        onChange();
        try {
          const agent = await this.ready(title);
          // A new session was followed as soon as it was shown.
          this.#follower?.stop();
          for await (const event of this.events(await begin(agent, signal))) {
            // No turn has begun.
            if (event.type === 'end' && event.code === 'session-busy') throw event.error;
            this.#screen.take(event);
            watch(event);
            onChange();
          }
        } finally {
          if (this.session) this.#follower?.start(this.session.entries, this.view);
        }
      });
    } finally {
      onChange();
    }
    this.#next();
  }
}

/** Begins a turn. */
type Begin = (
  agent: Agent,
  signal: AbortSignal,
) => AsyncIterable<StampedEvent> | Promise<AsyncIterable<StampedEvent>>;
