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
import { backOff } from './back-off.ts';
import type { CallOptions } from './call-options.ts';
import { Calm } from './calm.ts';
import { differences } from './differences.ts';
import type { PoolEvent } from './events.ts';
import {
  changedTool,
  isRepeatable,
  lateAnswer,
  outcomeOf,
  unknownOutcome,
  unusableServer,
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
  /** Answers what the server asks. */
  readonly requests: ServerRequests;
  readonly authProvider?: (() => Promise<HttpAuth | undefined>) | undefined;
  /** What to do where the error says that the server wants a login; `undefined` for other errors. */
  readonly loginNeeded?: ((error: unknown) => (Failure & { url?: string }) | undefined) | undefined;
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
  #attempt: Promise<LiveConnection> | undefined;
  #stopping: Promise<unknown> = Promise.resolve();
  #startedIn = 0;
  #failures = 0;
  #calls = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  readonly #options: ConnectionOptions;
  readonly #times: Times;
  readonly #slots: Slots;
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
   * Starts the server if it is not ready, and resolves when it is ready or has failed. Never rejects
   * for a failure, which is in the state; only with the signal's reason, which ends the waiting and
   * not the attempt, and with `missing-dependency`.
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
    clearTimeout(this.#idleTimer);
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
    clearTimeout(this.#idleTimer);
    const live = this.#live;
    this.#live = undefined;
    this.#enter({ kind: 'stop' });
    if (live) this.#stopping = Promise.allSettled([this.#stopping, live.close()]);
    await this.#stopping;
  }

  /** Ends the connection for good. Resolves when the server's process has ended. */
  async close(): Promise<void> {
    this.#closing.abort(
      new ToolfoldError(
        'connection-failed',
        `The connection to the MCP server ${this.name} was closed.`,
        'Connect again.',
      ),
    );
    this.#enter({ kind: 'close' });
    await this.#attempt?.catch(() => {});
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
      this.#failures = 0;
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const login = this.#options.loginNeeded?.(error);
      if (login) {
        this.#drop(live, { kind: 'login-needed', ...login });
        throw unusableServer(this.name, login);
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
          const reason = await this.#reasonOf(live, error);
          if (isRepeated || !isRepeatable(tool, this.#options.isTrusted())) {
            throw unknownOutcome(this.name, tool.name, reason);
          }
          return await this.#callOnce(named, input, options, true);
        }
      }
    }
  }

  /** Why a connection was lost. A process that ended says more than the error of the call. */
  async #reasonOf(live: LiveConnection, error: unknown): Promise<string> {
    if (live.failure !== undefined) return (await live.ended).reason;
    return error instanceof Error ? error.message : 'the connection broke';
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
  #ready(): Promise<LiveConnection> {
    if (this.#live) return Promise.resolve(this.#live);
    this.#attempt ??= this.#open().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  async #open(): Promise<LiveConnection> {
    const { entry } = this;
    const state = this.#state;
    if (state.kind === 'closed') throw this.#closing.signal.reason;
    const waits = state.kind === 'failed' ? state.retryAt - Date.now() : 0;
    if (entry.kind === 'unusable' || (state.kind === 'failed' && waits > 0)) {
      throw unusableServer(this.name, state.kind === 'failed' ? state : (entry as Failure), waits);
    }
    this.#enter({ kind: 'start' });
    const started = performance.now();
    try {
      await this.#stopping;
      const live = await this.#connect(entry);
      this.#settle(live, started);
      return live;
    } catch (error) {
      if (error instanceof ToolfoldError) {
        this.#enter({ kind: 'stop' });
        throw error;
      }
      this.#startedIn = performance.now() - started;
      throw this.#failed(error);
    }
  }

  async #connect(entry: Exclude<ServerEntry, { kind: 'unusable' }>): Promise<LiveConnection> {
    const options = {
      signal: this.#closing.signal,
      timeout: this.#times.start,
      handlers: this.#options.requests,
      authProvider: await this.#options.authProvider?.(),
    };
    const known = this.#manifest?.known;
    try {
      return await openConnection(entry, { ...options, known });
    } catch (error) {
      // The server may have another revision by now.
      if (known === undefined || !(error instanceof ConnectError) || error.isStopped) throw error;
      await error.cleanedUp;
      return openConnection(entry, options);
    }
  }

  #settle(live: LiveConnection, started: number): void {
    this.#startedIn = performance.now() - started;
    this.#live = live;
    void live.ended.then((failure) => {
      if (this.#live === live) this.#broke(failure);
    });
    if (live.failure !== undefined) return;
    live.onListChanged(() => this.#listChanges.notice());
    this.#take(live.listing, live);
    this.#enter({ kind: 'opened' });
    this.#restWhenIdle();
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
      this.#warn(text);
    }
  }

  #failed(error: unknown): ToolfoldError {
    const cause = error instanceof ConnectError ? error.cause : error;
    if (error instanceof ConnectError) {
      this.#stopping = Promise.allSettled([this.#stopping, error.cleanedUp]);
    }
    const login = this.#options.loginNeeded?.(cause);
    if (login) {
      this.#enter({ kind: 'login-needed', ...login });
      return unusableServer(this.name, login);
    }
    const failure =
      error instanceof ConnectError
        ? error.failure
        : { reason: 'it could not be started', remedy: 'Check its entry.' };
    this.#broke(failure);
    return unusableServer(this.name, failure);
  }

  #broke(failure: Failure): void {
    this.#live = undefined;
    this.#listChanges.stop();
    this.#failures += 1;
    this.#enter({ kind: 'broke', ...failure, retryAt: Date.now() + backOff(this.#failures) });
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

  #warn(text: string): void {
    this.#options.onEvent({ kind: 'warning', server: this.name, text });
  }

  #restWhenIdle(): void {
    clearTimeout(this.#idleTimer);
    const { idle } = this.#times;
    if (this.#calls > 0 || this.#live === undefined || idle === undefined) return;
    this.#idleTimer = setTimeout(() => {
      if (this.#calls === 0) void this.stop();
    }, idle);
    this.#idleTimer.unref();
  }
}
