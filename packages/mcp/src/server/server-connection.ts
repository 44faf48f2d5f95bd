import { setTimeout as delay } from 'node:timers/promises';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { type JsonObject, raceAbort } from '@toolfold/core/internal/values';
import type { ServerEntry } from '../config/index.ts';
import {
  type ListedTool,
  type LiveConnection,
  openConnection,
  type ServerListing,
} from '../connection/index.ts';
import { httpProblemOf, withoutSecrets } from '../transport/index.ts';
import {
  type CallOptions,
  callTimeoutOf,
  type OutgoingRequest,
  type RawRequestOptions,
  type Sending,
  Slots,
  type Times,
  timeOfRequest,
  timesOf,
} from './calls.ts';
import { notUsable } from './group.ts';
import { type ConnectionOptions, Link } from './link.ts';
import type { Manifest } from './manifest.ts';
import {
  closedConnection,
  inWords,
  isRepeatable,
  lateAnswer,
  lossOf,
  oldWay,
  oldWayWarning,
  outcomeOf,
  runsUnasked,
  sureOutcomeOf,
  unknownOutcome,
  unreadList,
  unsentCall,
  unsentRequest,
} from './outcome.ts';
import { type ConnectionInput, type ConnectionState, nextState, statusOf } from './state.ts';
import { ServerToolList } from './tool-list.ts';

/**
 * The connection to one server. Starts it when needed, stops it when nobody uses it, and starts it
 * again after a crash. No other part of the pool knows a process or a socket.
 */
export class ServerConnection {
  readonly name: string;
  readonly entry: ServerEntry;
  #state: ConnectionState = { kind: 'idle' };
  #calls = 0;
  /** The server announces 2026-07-28 but asks in the way of older revisions, which it knows too. */
  #asksInOldWay = false;
  readonly #options: ConnectionOptions;
  readonly #times: Times;
  readonly #slots: Slots;
  readonly #tools: ServerToolList;
  readonly #link: Link;
  #idleTimer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  constructor(
    name: string,
    entry: ServerEntry,
    manifest: Manifest | undefined,
    options: ConnectionOptions,
  ) {
    this.name = name;
    this.entry = entry;
    this.#options = options;
    this.#times = timesOf(entry, options.idleTime, options.startTimeout);
    this.#slots = new Slots(this.#times.maxCalls);
    const offered = entry.kind === 'unusable' ? undefined : entry.tools;
    this.#tools = new ServerToolList(name, manifest, this.#times.start, options, offered);
    this.#link = this.#linkTo(options);
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
    return this.#tools.manifest;
  }

  get listing(): ServerListing | undefined {
    return this.manifest?.listing;
  }

  /** Milliseconds that the last attempt to start took, or has taken so far; 0 before the first. */
  get startedIn(): number {
    return this.#link.startedIn;
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
    const name = typeof tool === 'string' ? tool : tool.name;
    this.#tools.checkOffered(name);
    const current = (): ListedTool => this.#tools.current(tool);
    return this.#do({
      name,
      named: tool,
      signal: options.signal,
      isRepeatable: () => isRepeatable(current(), this.#options.isTrusted()),
      send: async (live, timeout) => {
        const definition = current();
        const times = { timeout, maxTime: this.#times.maxCall };
        return this.#options.requests.during(options, (extras) =>
          live.call(definition, input, { signal: options.signal, ...times, ...extras }),
        );
      },
    });
  }

  /**
   * Sends any request, with every field as given, and returns the result as received. Starts the server if
   * needed. Rejects with `AnsweredError` if the server answers with an error, else like `callTool`.
   */
  async request(
    method: string,
    params: JsonObject,
    { onPlace, ...options }: RawRequestOptions = {},
  ): Promise<JsonObject> {
    const isCall = method === 'tools/call';
    const name = isCall ? String(params.name) : method;
    if (isCall) this.#tools.checkOffered(name);
    return this.#do({
      ...{ name, signal: options.signal, isLasting: method === 'subscriptions/listen', onPlace },
      isRepeatable: () =>
        !isCall || isRepeatable(this.#tools.current(name), this.#options.isTrusted()),
      send: (live, left) =>
        live.request(method, params, { ...options, ...timeOfRequest(method, left, this.#times) }),
    }) as Promise<JsonObject>;
  }

  /** Reads the lists of resources and prompts again, which the server says have changed. */
  otherListsChanged(): void {
    this.#tools.otherListsChanged();
  }

  async #do(work: OutgoingRequest): Promise<unknown> {
    const { signal } = work;
    this.#calls += 1;
    clearTimeout(this.#idleTimer);
    try {
      this.#throwIfOver(signal);
      if (work.isLasting) return await this.#doOnce(work, {});
      const giveBack = this.#slots.takeFree() ?? (await this.#slots.take(this.#abortedBy(signal)));
      work.onPlace?.(giveBack);
      try {
        return await this.#doOnce(work, {});
      } finally {
        giveBack();
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw withoutSecrets(error, this.entry.kind === 'unusable' ? [] : this.entry.secrets);
    } finally {
      this.#calls -= 1;
      this.#restWhenIdle();
    }
  }

  /** Stops the server. The next call starts it again. */
  async stop(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await this.#link.stop(this.#closing.signal.reason);
  }

  /** Ends the connection for good. Resolves when the server's process has ended. */
  async close(): Promise<void> {
    const reason = closedConnection(this.name);
    this.#closing.abort(reason);
    this.#enter({ kind: 'close' });
    await this.stop();
  }

  #linkTo({ open = openConnection, ...options }: ConnectionOptions): Link {
    return new Link({
      name: this.name,
      entry: this.entry,
      open,
      openOptions: async () => ({
        timeout: this.#times.start,
        known: this.#asksInOldWay ? { kind: 'legacy' } : this.manifest?.known,
        handlers: options.requests,
        authProvider: await options.authProvider?.(),
      }),
      loginNeeded: (error) => options.loginNeeded?.(error),
      state: () => this.#state,
      enter: (input) => this.#enter(input),
      onLive: (live) => {
        this.#tools.follow(live);
        live.strays.follow((stray) => {
          options.onEvent({ kind: 'warning', server: this.name, text: `it sent ${stray}` });
        });
        this.#restWhenIdle();
      },
      onGone: () => this.#tools.stop(),
    });
  }

  async #ready(): ReturnType<Link['ready']> {
    this.#closing.signal.throwIfAborted();
    return this.#link.ready();
  }

  #abortedBy(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
  }

  async #doOnce(work: OutgoingRequest, { isRepeated = false, until }: Sending): Promise<unknown> {
    const { name, signal, named } = work;
    const live = this.#link.current ?? (await raceAbort(this.#ready(), this.#abortedBy(signal)));
    this.#throwIfOver(signal);
    const callTime = callTimeoutOf(this.#times, name);
    const times = { ...this.#times, call: callTime };
    const ends = until ?? performance.now() + callTime;
    const isChecked =
      !this.#needsCheck(live, named) ||
      (await this.#checkList(live, named, callTime, this.#abortedBy(signal), isRepeated));
    if (!isChecked) return await this.#doOnce(work, { isRepeated: true });
    const timeout = Math.max(1, ends - performance.now());
    const strays = live.strays.count;
    try {
      const sent = this.#link.during(live, () => work.send(live, timeout));
      const result = await raceAbort(sent, this.#closing.signal);
      this.#link.succeeded();
      this.#noteOldWay(live, result);
      return result;
    } catch (error) {
      this.#throwIfOver(signal);
      this.#throwIfLogin(live, error);
      const outcome = await sureOutcomeOf(error, live);
      switch (outcome) {
        case 'answered': {
          const request = this.#noteOldWay(live, error);
          throw request === undefined
            ? inWords(this.name, name, error)
            : oldWay(this.name, name, request);
        }
        case 'busy': {
          const { retryAfter } = httpProblemOf(error) ?? {};
          const isInTime = retryAfter !== undefined && performance.now() + retryAfter < ends;
          if (!isInTime) throw inWords(this.name, name, error);
          const over = this.#abortedBy(signal);
          await delay(retryAfter, undefined, { signal: over }).catch(() => over.throwIfAborted());
          return await this.#doOnce(work, { isRepeated, until: ends });
        }
        case 'late':
          throw lateAnswer(this.name, name, times, error, live.strays.since(strays));
        case 'refused':
          this.#link.retire(live, { kind: 'stop' });
          throw inWords(this.name, name, error);
        case 'unsent':
          // The server did not run the call, which needs a new connection.
          this.#link.retire(live, { kind: 'stop' });
          if (isRepeated) throw await unsentCall(live, this.name, name, error);
          return await this.#doOnce(work, { isRepeated: true });
        case 'gone':
        case 'lost': {
          const reason = await lossOf(live, error);
          if (outcome === 'gone') this.#link.retire(live, { kind: 'stop' });
          if (isRepeated || !work.isRepeatable()) throw unknownOutcome(this.name, name, reason);
          return await this.#doOnce(work, { isRepeated: true });
        }
      }
    }
  }

  #needsCheck(live: LiveConnection, named: string | ListedTool | undefined): named is ListedTool {
    if (named === undefined || typeof named === 'string' || !this.#tools.isOld(live)) return false;
    return !runsUnasked(named, this.#options.isTrusted());
  }

  /** Throws if a call may not go on: it was cancelled, or the connection was closed. */
  #throwIfOver(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    this.#closing.signal.throwIfAborted();
  }

  /** Throws, and ends the connection, if the error says that the server wants a login. */
  #throwIfLogin(live: LiveConnection, error: unknown): void {
    const login = this.#options.loginNeeded?.(error);
    if (!login) return;
    this.#link.retire(live, { kind: 'login-needed', ...login });
    throw notUsable(this.name, login);
  }

  /**
   * Reads an old list again before a call that a user may have approved: the server may have changed a
   * definition without a notice. Returns `false` if the call needs another connection. Rejects if the
   * list cannot be read.
   */
  async #checkList(
    live: LiveConnection,
    named: ListedTool,
    timeout: number,
    signal: AbortSignal,
    isRepeated: boolean,
  ): Promise<boolean> {
    try {
      await raceAbort(this.#tools.readIfOld(live, timeout), signal);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      this.#throwIfLogin(live, error);
      const isGone = ['unsent', 'refused', 'lost', 'forgotten'].includes(outcomeOf(error, live));
      if (isGone) this.#link.retire(live, { kind: 'stop' });
      if (isGone && !isRepeated) return false;
      throw unreadList(this.name, named.name, await lossOf(live, error));
    }
  }

  /** The request that a tool could not send on this connection. The next one is of an older revision. */
  #noteOldWay(live: LiveConnection, outcome: unknown): string | undefined {
    if (live.known?.kind !== 'modern' || this.#asksInOldWay) return;
    const request = unsentRequest(outcome);
    const isPinned =
      this.entry.kind !== 'unusable' && this.entry.lifecycle?.protocol === '2026-07-28';
    if (request === undefined || isPinned) return;
    this.#asksInOldWay = true;
    this.#link.retire(live, { kind: 'stop' });
    const text = oldWayWarning(request);
    this.#options.onEvent({ kind: 'warning', server: this.name, text });
    return request;
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
    clearTimeout(this.#idleTimer);
    if (this.#calls === 0) this.#options.onIdle?.();
    if (this.#calls > 0 || !this.#link.isLive || this.#times.idle === undefined) return;
    this.#idleTimer = setTimeout(() => void this.stop(), this.#times.idle).unref();
  }
}
