import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { ownProperty } from '@toolfold/core/internal/values';
import type { ServerEntry, UsableEntry } from '../config/index.ts';
import {
  ConnectError,
  type LiveConnection,
  type OpenConnectionOptions,
  type openConnection,
} from '../connection/index.ts';
import type { ServerRequests } from '../requests/index.ts';
import {
  type Failure,
  type HttpAuth,
  httpProblemOf,
  type LoginNeeded,
} from '../transport/index.ts';
import { notUsable } from './group.ts';
import { stoppedStart } from './outcome.ts';
import type { ConnectionInput, ConnectionState } from './state.ts';
import type { ListObserver } from './tool-list.ts';

/** What a connection needs to know besides its entry. `onChange`: what its group shows has changed. */
export interface ConnectionOptions extends ListObserver {
  readonly isTrusted: () => boolean;
  /** Called when no call runs any more. */
  readonly onIdle?: () => void;
  /** Default time without a call until the server is stopped, in milliseconds. */
  readonly idleTime: number;
  readonly startTimeout?: number | undefined;
  /** Opens a live connection. Default: `openConnection`. */
  readonly open?: typeof openConnection | undefined;
  /** Answers what the server asks. */
  readonly requests: ServerRequests;
  readonly authProvider?: (() => Promise<HttpAuth | undefined>) | undefined;
  /** What to do where the error says that the server wants a login; `undefined` for other errors. */
  readonly loginNeeded?: ((error: unknown) => LoginNeeded | undefined) | undefined;
}

/** Milliseconds before the second attempt after failures in a row. It doubles with each further one. */
const FIRST_DELAY = 1000;
const MAX_DELAY = 60_000;

/** What a link needs of its connection. */
interface LinkHost {
  readonly name: string;
  readonly entry: ServerEntry;
  readonly open: typeof openConnection;
  /** How to connect, except how to end the attempt. */
  readonly openOptions: () => Promise<Omit<OpenConnectionOptions, 'signal'>>;
  /** What to do where the error says that the server wants a login; `undefined` for other errors. */
  readonly loginNeeded: (error: unknown) => LoginNeeded | undefined;
  readonly state: () => ConnectionState;
  readonly enter: (input: ConnectionInput) => void;
  /** Called with each new live connection, before its state is `ready`. */
  readonly onLive: (live: LiveConnection) => void;
  readonly onGone: () => void;
}

interface ConnectAttempt {
  readonly live: Promise<LiveConnection>;
  readonly stop: AbortController;
}

/** The one live connection of a server, or the one attempt to get it. */
export class Link {
  readonly #host: LinkHost;
  #failures = 0;
  /** When the next attempt is possible, by a clock that nobody can set. */
  #retryFrom = 0;
  /** The server does not have the revision any more that it had before. */
  #isOutdated = false;
  #live: LiveConnection | undefined;
  #attempt: ConnectAttempt | undefined;
  #stopping: Promise<unknown> = Promise.resolve();
  /** Calls that run, by their connection. */
  readonly #calls = new Map<LiveConnection, number>();
  /** Connections that get no further call. Each is closed when its last call has ended. */
  readonly #retired = new Set<LiveConnection>();
  #startedIn: () => number = () => 0;

  constructor(host: LinkHost) {
    this.#host = host;
  }

  get isLive(): boolean {
    return this.#live !== undefined;
  }

  /** Milliseconds that the last attempt to connect took, or has taken so far; 0 before the first. */
  get startedIn(): number {
    return this.#startedIn();
  }

  get current(): LiveConnection | undefined {
    return this.#live?.failure === undefined ? this.#live : undefined;
  }

  /** The connection, when it is ready. Callers share one attempt. Rejects if it cannot be used. */
  async ready(): Promise<LiveConnection> {
    if (this.current) return this.current;
    // It has ended, and the reason is being found.
    if (this.#live) await this.#live.ended;
    this.#attempt ??= this.#begin();
    return this.#attempt.live;
  }

  succeeded(): void {
    this.#failures = 0;
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
    const retired = [...this.#retired].map((old) => old.close());
    this.#retired.clear();
    this.#stopping = Promise.allSettled([this.#stopping, live?.close(), attempt?.live, ...retired]);
    await this.#stopping;
  }

  /** Runs a call on a connection, which stays open until then. */
  async during<T>(live: LiveConnection, run: () => Promise<T>): Promise<T> {
    this.#calls.set(live, (this.#calls.get(live) ?? 0) + 1);
    try {
      return await run();
    } finally {
      const left = (this.#calls.get(live) ?? 1) - 1;
      if (left > 0) this.#calls.set(live, left);
      else this.#calls.delete(live);
      this.#closeRetired(live);
    }
  }

  /** Gives a connection no further call. Its other calls go on. */
  retire(live: LiveConnection, input: ConnectionInput): void {
    if (this.#live !== live) return;
    this.#live = undefined;
    this.#host.onGone();
    this.#retired.add(live);
    this.#closeRetired(live);
    this.#host.enter(input);
  }

  #closeRetired(live: LiveConnection): void {
    // A process that takes no input cannot answer the other calls either.
    const isUsed = this.#calls.has(live) && this.#host.entry.kind !== 'stdio';
    if (isUsed || !this.#retired.delete(live)) return;
    this.#stopping = Promise.allSettled([this.#stopping, live.close()]);
  }

  #begin(): ConnectAttempt {
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
    const waits = this.#retryFrom - performance.now();
    if (state.kind === 'failed' && waits > 0) throw notUsable(name, state, waits);
    enter({ kind: 'start' });
    await this.#stopping;
    const started = performance.now();
    this.#startedIn = () => performance.now() - started;
    const ended = (): void => {
      const took = this.startedIn;
      this.#startedIn = () => took;
    };
    try {
      stop.throwIfAborted();
      const options = await this.#host.openOptions();
      const live = await this.#open(entry, { ...options, signal: stop });
      ended();
      if (!stop.aborted) return this.#settle(live);
      await live.close();
    } catch (error) {
      ended();
      if (!stop.aborted) throw this.#failed(error);
      if (error instanceof ConnectError) await error.cleanedUp.catch(() => {});
    }
    throw stop.reason;
  }

  /** Opens a connection with the known revision first. One that has already ended is a failed attempt. */
  async #open(entry: UsableEntry, options: OpenConnectionOptions): Promise<LiveConnection> {
    const known = this.#isOutdated ? undefined : options.known;
    try {
      const live = await this.#host.open(entry, { ...options, known });
      this.#isOutdated = false;
      if (live.failure === undefined) return live;
      throw new ConnectError(await live.ended, undefined, live.close());
    } catch (error) {
      if (known === undefined || !(error instanceof ConnectError) || options.signal?.aborted) {
        throw error;
      }
      // The server may have another revision by now.
      this.#isOutdated = true;
      if (!isAnswer(error.cause)) throw error;
      await error.cleanedUp.catch(() => {});
      return this.#open(entry, options);
    }
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
    this.#failures += 1;
    const delay = backOff(this.#failures);
    this.#retryFrom = performance.now() + delay;
    this.#host.enter({ kind: 'broke', ...failure, retryAt: Date.now() + delay });
  }
}

/**
 * Milliseconds to wait after this many failures in a row. None after the first: a server that crashed
 * once is started by the next call. `random` in 0..1 spreads the attempts by up to a fifth.
 */
export function backOff(failures: number, random: number = Math.random()): number {
  if (failures <= 1) return 0;
  const delay = Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (failures - 2));
  return Math.round(delay * (0.8 + 0.2 * random));
}

/** Whether the server answered with an error that a wrong revision explains. */
function isAnswer(error: unknown): boolean {
  const { status = 0 } = httpProblemOf(error) ?? {};
  const isRefusal = status >= 400 && status < 500 && status !== 401 && status !== 403;
  return isRefusal || typeof ownProperty(error, 'code') === 'number';
}
