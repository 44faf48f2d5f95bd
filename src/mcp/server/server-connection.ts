import { ToolfoldError } from '../../errors.ts';
import { canonicalJson, raceAbort } from '../../tools/values/index.ts';
import type { ServerEntry } from '../config/index.ts';
import {
  ConnectError,
  type ListedTool,
  type LiveConnection,
  openConnection,
  type ServerListing,
} from '../connection/index.ts';
import { fingerprintOf, type Manifest, manifestOf } from '../manifest/index.ts';
import type { ServerRequests } from '../requests/index.ts';
import { type Failure, type HttpAuth, withoutSecrets } from '../transport/index.ts';
import { Retries } from './back-off.ts';
import type { CallOptions } from './call-options.ts';
import { Calm } from './calm.ts';
import { differences } from './differences.ts';
import type { PoolEvent } from './events.ts';
import { IdleTimer } from './idle-timer.ts';
import { KnownOpener } from './open-known.ts';
import {
  changedTool,
  closedConnection,
  isRepeatable,
  lateAnswer,
  lossOf,
  notUsable,
  outcomeOf,
  stoppedStart,
  unknownOutcome,
} from './outcome.ts';
import { Slots } from './slots.ts';
import { type ConnectionInput, type ConnectionState, nextState } from './state.ts';
import { statusOf } from './status.ts';
import { callTimeoutOf, type Times, timesOf } from './times.ts';

/** What a connection needs to know besides its entry. */
export interface ConnectionOptions {
  readonly isTrusted: () => boolean;
  /** Default time without a call until the server is stopped, in milliseconds. */
  readonly idleTime: number;
  readonly startTimeout?: number | undefined;
  readonly onEvent: (event: PoolEvent) => void;
  /** Called when the manifest or what the group shows has changed. */
  readonly onChange: () => void;
  /** Called with each new list of tools. */
  readonly onListed: (manifest: Manifest) => void;
  /** Opens a live connection. Default: `openConnection`. */
  readonly open?: typeof openConnection | undefined;
  /** Answers what the server asks. */
  readonly requests: ServerRequests;
  readonly authProvider?: (() => Promise<HttpAuth | undefined>) | undefined;
  /** What to do where the error says that the server wants a login; `undefined` for other errors. */
  readonly loginNeeded?: ((error: unknown) => (Failure & { url?: string }) | undefined) | undefined;
}

/** An attempt to connect. */
interface Attempt {
  readonly live: Promise<LiveConnection>;
  readonly stop: AbortController;
}

/**
 * The connection to one server. Starts it when needed, stops it when nobody uses it, and starts it
 * again after a crash. No other part of the pool knows a process or a socket.
 */
export class ServerConnection {
  readonly name: string;
  readonly entry: ServerEntry;
  #state: ConnectionState = { kind: 'idle' };
  #manifest: Manifest | undefined;
  #live: LiveConnection | undefined;
  #attempt: Attempt | undefined;
  #stopping: Promise<unknown> = Promise.resolve();
  #startedIn = 0;
  #calls = 0;
  readonly #options: ConnectionOptions;
  readonly #times: Times;
  readonly #slots: Slots;
  readonly #idleTimer: IdleTimer;
  readonly #retries = new Retries();
  readonly #opener: KnownOpener;
  readonly #listChanges: Calm;
  readonly #closing = new AbortController();

  constructor(
    name: string,
    entry: ServerEntry,
    manifest: Manifest | undefined,
    options: ConnectionOptions,
  ) {
    this.name = name;
    this.entry = entry;
    this.#manifest = manifest;
    this.#options = options;
    this.#times = timesOf(entry, options.idleTime, options.startTimeout);
    this.#slots = new Slots(this.#times.maxCalls);
    this.#opener = new KnownOpener(options.open ?? openConnection);
    this.#idleTimer = new IdleTimer(this.#times.idle, () => void this.stop());
    this.#listChanges = new Calm(() => this.#listAgain());
    if (entry.kind === 'unusable') {
      const { reason, remedy } = entry;
      this.#state = { kind: 'failed', reason, remedy, retryAt: Number.POSITIVE_INFINITY };
    }
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** What the server last listed, now or in an earlier run. */
  get manifest(): Manifest | undefined {
    return this.#manifest;
  }

  get listing(): ServerListing | undefined {
    return this.#manifest?.listing;
  }

  /** Milliseconds that the last attempt to connect took; 0 before the first. */
  get startedIn(): number {
    return this.#startedIn;
  }

  /** The number of calls that run or wait. */
  get calls(): number {
    return this.#calls;
  }

  /**
   * Starts the server if needed, and resolves when it is ready or has failed. Rejects only with the
   * signal's reason, which ends the waiting and not the attempt, and with `missing-dependency`.
   */
  async start(signal?: AbortSignal): Promise<ConnectionState> {
    try {
      await raceAbort(this.#ready(), signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ToolfoldError && error.code === 'missing-dependency') throw error;
    }
    return this.#state;
  }

  /**
   * Calls a tool and returns the result as received. Starts the server if needed. `tool`: its name, or
   * its definition as the caller knows it: the call is refused if the server lists another one by now.
   * Rejects with the server's error, or with `connection-failed` in words for the model. A call whose
   * outcome is unknown is repeated only where a trusted server says that this is safe.
   */
  async callTool(
    tool: string | ListedTool,
    input: unknown,
    options: CallOptions = {},
  ): Promise<unknown> {
    const { signal } = options;
    this.#calls += 1;
    this.#idleTimer.stop();
    try {
      const giveBack = await this.#slots.take(this.#abortedBy(signal));
      try {
        return await this.#callOnce(tool, input, options, false);
      } finally {
        giveBack();
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw withoutSecrets(error, this.#secrets);
    } finally {
      this.#calls -= 1;
      this.#restWhenIdle();
    }
  }

  /** Stops the server. The next call starts it again. */
  async stop(): Promise<void> {
    this.#listChanges.stop();
    this.#idleTimer.stop();
    const live = this.#live;
    const attempt = this.#attempt;
    this.#live = undefined;
    this.#attempt = undefined;
    attempt?.stop.abort(this.#closing.signal.reason ?? stoppedStart(this.name));
    this.#enter({ kind: 'stop' });
    this.#stopping = Promise.allSettled([this.#stopping, live?.close(), attempt?.live]);
    await this.#stopping;
  }

  /** Ends the connection for good. Resolves when the server's process has ended. */
  async close(): Promise<void> {
    this.#closing.abort(closedConnection(this.name));
    this.#enter({ kind: 'close' });
    await this.stop();
  }

  get #secrets(): readonly string[] {
    return this.entry.kind === 'unusable' ? [] : this.entry.secrets;
  }

  #abortedBy(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
  }

  async #callOnce(
    named: string | ListedTool,
    input: unknown,
    options: CallOptions,
    isRepeated: boolean,
  ): Promise<unknown> {
    const signal = this.#abortedBy(options.signal);
    const live = await raceAbort(this.#ready(), signal);
    signal.throwIfAborted();
    const tool = this.#currentTool(named);
    const timeout = callTimeoutOf(this.#times, tool.name);
    try {
      const result = await this.#options.requests.during(options, (extras) =>
        live.call(tool, input, { signal, timeout, ...extras }),
      );
      this.#retries.succeeded();
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const login = this.#options.loginNeeded?.(error);
      if (login) {
        this.#drop(live, { kind: 'login-needed', ...login });
        throw notUsable(this.name, login);
      }
      switch (outcomeOf(error, live.failure !== undefined)) {
        case 'answered':
          throw error;
        case 'late':
          throw lateAnswer(this.name, tool.name, timeout);
        case 'refused':
          // The server has forgotten the session. It did not run the call, which needs a new one.
          this.#drop(live, { kind: 'stop' });
          if (isRepeated) throw error;
          return await this.#callOnce(named, input, options, true);
        case 'lost': {
          const reason = await lossOf(live, error);
          if (isRepeated || !isRepeatable(tool, this.#options.isTrusted())) {
            throw unknownOutcome(this.name, tool.name, reason);
          }
          return await this.#callOnce(named, input, options, true);
        }
      }
    }
  }

  /** The tool as the server lists it now. Throws if it is not the one that the caller knows. */
  #currentTool(named: string | ListedTool): ListedTool {
    const name = typeof named === 'string' ? named : named.name;
    const listed = this.listing?.tools.find((tool) => tool.name === name);
    // A tool that is called by its name may be one that the server does not list.
    if (typeof named === 'string') return listed ?? { name };
    if (listed === named) return named;
    if (listed === undefined || canonicalJson(listed) !== canonicalJson(named)) {
      throw changedTool(this.name, name, listed === undefined);
    }
    return listed;
  }

  /** The connection, when it is ready. Callers share one attempt. */
  async #ready(): Promise<LiveConnection> {
    const live = this.#live;
    if (live && live.failure === undefined) return live;
    // It has ended, and the reason is being found.
    if (live) await live.ended;
    this.#attempt ??= this.#begin();
    return this.#attempt.live;
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
    const { entry } = this;
    const state = this.#state;
    if (state.kind === 'closed') throw this.#closing.signal.reason;
    if (entry.kind === 'unusable') throw notUsable(this.name, entry);
    const waits = state.kind === 'failed' ? this.#retries.waits : 0;
    if (state.kind === 'failed' && waits > 0) throw notUsable(this.name, state, waits);
    this.#enter({ kind: 'start' });
    await this.#stopping;
    const started = performance.now();
    try {
      stop.throwIfAborted();
      const live = await this.#opener.open(entry, {
        signal: stop,
        timeout: this.#times.start,
        known: this.#manifest?.known,
        handlers: this.#options.requests,
        authProvider: await this.#options.authProvider?.(),
      });
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
    live.onListChanged(() => this.#listChanges.notice());
    this.#take(live.listing, live);
    this.#enter({ kind: 'opened' });
    this.#restWhenIdle();
    return live;
  }

  /** Takes a new list of tools. */
  #take(listing: ServerListing, live: LiveConnection): void {
    const before = this.#manifest;
    const manifest = manifestOf(listing, live.known, Date.now());
    this.#manifest = manifest;
    this.#options.onListed(manifest);
    if (before === undefined || before.fingerprint === manifest.fingerprint) return;
    const changes = differences(before.listing.tools, listing.tools);
    this.#options.onEvent({ kind: 'tools-changed', server: this.name, ...changes });
    this.#options.onChange();
  }

  async #listAgain(): Promise<void> {
    const live = this.#live;
    if (live === undefined) return;
    try {
      const listing = await live.list({ signal: this.#closing.signal, timeout: this.#times.start });
      if (this.#live !== live) return;
      if (fingerprintOf(listing) !== this.#manifest?.fingerprint) this.#take(listing, live);
    } catch (error) {
      if (this.#live !== live) return;
      const text = `its changed list of tools cannot be read (${error instanceof Error ? error.message : 'no reason'})`;
      this.#options.onEvent({ kind: 'warning', server: this.name, text });
    }
  }

  #failed(error: unknown): ToolfoldError {
    if (error instanceof ToolfoldError) {
      this.#enter({ kind: 'stop' });
      return error;
    }
    const cause = error instanceof ConnectError ? error.cause : error;
    if (error instanceof ConnectError) {
      this.#stopping = Promise.allSettled([this.#stopping, error.cleanedUp]);
    }
    const login = this.#options.loginNeeded?.(cause);
    if (login) {
      this.#enter({ kind: 'login-needed', ...login });
      return notUsable(this.name, login);
    }
    const failure =
      error instanceof ConnectError
        ? error.failure
        : { reason: 'it could not be started', remedy: 'Check its entry.' };
    this.#broke(failure);
    return notUsable(this.name, failure);
  }

  #broke(failure: Failure): void {
    this.#live = undefined;
    this.#listChanges.stop();
    this.#enter({ kind: 'broke', ...failure, retryAt: Date.now() + this.#retries.failed() });
  }

  /** Gives up a connection that is of no use any more. */
  #drop(live: LiveConnection, input: ConnectionInput): void {
    if (this.#live !== live) return;
    this.#live = undefined;
    this.#listChanges.stop();
    this.#stopping = Promise.allSettled([this.#stopping, live.close()]);
    this.#enter(input);
  }

  #enter(input: ConnectionInput): void {
    const from = this.#state;
    const to = nextState(from, input);
    if (to === from) return;
    this.#state = to;
    const status = statusOf(this);
    this.#options.onEvent({ kind: 'state', server: this.name, from, to, status });
    this.#options.onChange();
  }

  #restWhenIdle(): void {
    if (this.#calls === 0 && this.#live !== undefined) this.#idleTimer.start();
  }
}
