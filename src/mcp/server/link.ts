import { ToolfoldError } from '../../errors.ts';
import type { ServerEntry } from '../config/index.ts';
import {
  ConnectError,
  type LiveConnection,
  type OpenOptions,
  type openConnection,
} from '../connection/index.ts';
import type { Failure } from '../transport/index.ts';
import { Retries } from './back-off.ts';
import { KnownOpener } from './open-known.ts';
import { notUsable, stoppedStart } from './outcome.ts';
import type { ConnectionInput, ConnectionState } from './state.ts';

/** A login that the server wants. */
export type LoginNeeded = Failure & { readonly url?: string };

/** What a link needs of its connection. */
export interface LinkHost {
  readonly name: string;
  readonly entry: ServerEntry;
  readonly open: typeof openConnection;
  /** How to connect, except how to end the attempt. */
  readonly openOptions: () => Promise<Omit<OpenOptions, 'signal'>>;
  /** What to do where the error says that the server wants a login; `undefined` for other errors. */
  readonly loginNeeded: (error: unknown) => LoginNeeded | undefined;
  readonly state: () => ConnectionState;
  readonly enter: (input: ConnectionInput) => void;
  /** Called with each new live connection, before its state is `ready`. */
  readonly onLive: (live: LiveConnection) => void;
  /** Called when there is no live connection any more. */
  readonly onGone: () => void;
}

/** An attempt to connect. */
interface Attempt {
  readonly live: Promise<LiveConnection>;
  readonly stop: AbortController;
}

/** The one live connection of a server, or the one attempt to get it. */
export class Link {
  readonly #host: LinkHost;
  readonly #opener: KnownOpener;
  readonly #retries = new Retries();
  #live: LiveConnection | undefined;
  #attempt: Attempt | undefined;
  #stopping: Promise<unknown> = Promise.resolve();
  #startedIn = 0;

  constructor(host: LinkHost) {
    this.#host = host;
    this.#opener = new KnownOpener(host.open);
  }

  get isLive(): boolean {
    return this.#live !== undefined;
  }

  /** Milliseconds that the last attempt to connect took; 0 before the first. */
  get startedIn(): number {
    return this.#startedIn;
  }

  /** The connection, when it is ready. Callers share one attempt. Rejects if it cannot be used. */
  async ready(): Promise<LiveConnection> {
    const live = this.#live;
    if (live && live.failure === undefined) return live;
    // It has ended, and the reason is being found.
    if (live) await live.ended;
    this.#attempt ??= this.#begin();
    return this.#attempt.live;
  }

  /** Call this when a call has succeeded. */
  succeeded(): void {
    this.#retries.succeeded();
  }

  /** Ends the connection, or the attempt, which then rejects with the reason. */
  async stop(reason: unknown = stoppedStart(this.#host.name)): Promise<void> {
    const live = this.#live;
    const attempt = this.#attempt;
    this.#live = undefined;
    this.#attempt = undefined;
    this.#host.onGone();
    attempt?.stop.abort(reason);
    this.#host.enter({ kind: 'stop' });
    this.#stopping = Promise.allSettled([this.#stopping, live?.close(), attempt?.live]);
    await this.#stopping;
  }

  /** Gives up a connection that is of no use any more. */
  drop(live: LiveConnection, input: ConnectionInput): void {
    if (this.#live !== live) return;
    this.#live = undefined;
    this.#host.onGone();
    this.#stopping = Promise.allSettled([this.#stopping, live.close()]);
    this.#host.enter(input);
  }

  #begin(): Attempt {
    const stop = new AbortController();
    const live = this.#start(stop.signal);
    const forget = (): void => {
      if (this.#attempt?.stop === stop) this.#attempt = undefined;
    };
    live.then(forget, forget);
    return { live, stop };
  }

  async #start(stop: AbortSignal): Promise<LiveConnection> {
    const { name, entry, enter } = this.#host;
    const state = this.#host.state();
    if (entry.kind === 'unusable') throw notUsable(name, entry);
    const waits = state.kind === 'failed' ? this.#retries.waits : 0;
    if (state.kind === 'failed' && waits > 0) throw notUsable(name, state, waits);
    enter({ kind: 'start' });
    await this.#stopping;
    const started = performance.now();
    try {
      stop.throwIfAborted();
      const options = await this.#host.openOptions();
      const live = await this.#opener.open(entry, { ...options, signal: stop });
      this.#startedIn = performance.now() - started;
      if (!stop.aborted) return this.#settle(live);
      await live.close();
    } catch (error) {
      this.#startedIn = performance.now() - started;
      if (!stop.aborted) throw this.#failed(error);
      if (error instanceof ConnectError) await error.cleanedUp.catch(() => {});
    }
    throw stop.reason;
  }

  #settle(live: LiveConnection): LiveConnection {
    this.#live = live;
    void live.ended.then((failure) => {
      if (this.#live === live) this.#broke(failure);
    });
    this.#host.onLive(live);
    this.#host.enter({ kind: 'opened' });
    return live;
  }

  #failed(error: unknown): ToolfoldError {
    const { name, enter, loginNeeded } = this.#host;
    if (error instanceof ToolfoldError) {
      enter({ kind: 'stop' });
      return error;
    }
    const isAttempt = error instanceof ConnectError;
    if (isAttempt) this.#stopping = Promise.allSettled([this.#stopping, error.cleanedUp]);
    const login = loginNeeded(isAttempt ? error.cause : error);
    if (login) {
      enter({ kind: 'login-needed', ...login });
      return notUsable(name, login);
    }
    const failure = isAttempt
      ? error.failure
      : { reason: 'it could not be started', remedy: 'Check its entry.' };
    this.#broke(failure);
    return notUsable(name, failure);
  }

  #broke(failure: Failure): void {
    this.#live = undefined;
    this.#host.onGone();
    const retryAt = Date.now() + this.#retries.failed();
    this.#host.enter({ kind: 'broke', ...failure, retryAt });
  }
}
