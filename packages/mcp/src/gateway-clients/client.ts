import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { isRecord, type JsonObject, oneLine, ownProperties } from '@toolfold/core/internal/values';
import { AnsweredError, type ServerQuestion } from '../transport/index.ts';
import {
  agreedRevision,
  type Era,
  errorFor,
  hasEnvelope,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  MODERN,
  metaOf,
  RpcError,
  readEnvelope,
  resultFor,
} from './messages.ts';

/** A request of a client, and the ways back to the client while it is answered. */
export interface ClientRequest {
  readonly client: Client;
  readonly id: string | number;
  readonly era: Era;
  readonly method: string;
  readonly params: JsonObject;
  /** What the client can do for servers. */
  readonly capabilities: JsonObject;
  /** The lowest level of log messages that it wants; `undefined` for none, `all` if it did not say. */
  readonly logLevel: string | undefined;
  /** Fires when the client does not want the answer any more, or has gone. */
  readonly signal: AbortSignal;
  /** Sends a notification that belongs to this request. */
  notify(method: string, params: JsonObject): void;
  /** Asks the client. Absent since 2026-07-28: a client then gets questions as a result. */
  readonly ask?: (question: ServerRequest) => Promise<JsonObject>;
}

/** What a server asks a client. */
export type ServerRequest = Omit<ServerQuestion, 'addressee'>;

/** Whose request it is, and how the client can be asked. */
export type Caller = Pick<ClientRequest, 'client' | 'capabilities' | 'signal' | 'ask'>;

/** Where messages to a client are written. Messages after the end are dropped. */
export interface MessageSink {
  send(message: JsonObject): void;
}

/** What a client is served by. */
export interface ClientHost {
  handle(incoming: ClientRequest): Promise<JsonObject>;
  /** The answer to the handshake, without the revision. */
  welcome(client: Client): Promise<JsonObject>;
  /** Called when the client's folders may have changed. */
  rootsChanged(client: Client): void;
  closed(client: Client): Promise<void>;
  /** The tool that a call is for, as the log names it. */
  toolOf(params: JsonObject): string;
  log(text: string): void;
}

/** Milliseconds for the answer to a question. */
const ANSWER_TIME = 300_000;

/** Maximum requests of a client that are answered at once. */
const MAX_REQUESTS = 1000;

/** Requests that only clients with a handshake can send. */
const LEGACY_ONLY: ReadonlySet<string> = new Set([
  ...['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'initialize'],
]);

/** Requests that are new in 2026-07-28. */
const MODERN_ONLY: ReadonlySet<string> = new Set(['server/discover', 'subscriptions/listen']);

/**
 * One client: a process on stdio, a session over HTTP, or, without sessions, everything that came in one
 * way. Reads its messages, whichever revision each has, and writes the answers.
 */
export class Client {
  /** What it announced in its handshake; `undefined` before. */
  capabilities: JsonObject | undefined;
  info: JsonObject | undefined;
  /** The level that it set; `all` until then. */
  logLevel = 'all';
  /** Addresses that it subscribed to, since its handshake. */
  readonly subscribed: Set<string> = new Set();
  /** Whether each request may be of another program: there is no session. */
  readonly isShared: boolean;
  readonly #host: ClientHost;
  /** For messages that belong to no request. */
  readonly #outlet: MessageSink;
  readonly #running = new Map<
    unknown,
    { readonly stop: AbortController; readonly method: string }
  >();
  readonly #asked = new Map<
    unknown,
    PromiseWithResolvers<JsonObject> & Pick<ServerRequest, 'onProgress'>
  >();
  readonly #gone = new AbortController();
  /** Fires when the client cannot answer any more. */
  readonly #mute = new AbortController();
  #onIdle: () => void = () => {};
  #lastQuestion = 0;

  constructor(host: ClientHost, outlet: MessageSink, isShared = false) {
    this.#host = host;
    this.#outlet = outlet;
    this.isShared = isShared;
  }

  /** Whether it is served as before 2026-07-28: it made a handshake. */
  get isLegacy(): boolean {
    return this.capabilities !== undefined;
  }

  /** Fires when the client has gone. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** The number of requests that are answered at this moment. */
  get requests(): number {
    return this.#running.size;
  }

  /**
   * Takes a message. Resolves when it is dealt with, so for a request when the answer is written. Never
   * rejects. `left`: fires when the way back has closed.
   */
  async receive(
    message: unknown,
    outlet: MessageSink = this.#outlet,
    left?: AbortSignal,
  ): Promise<void> {
    const { id, method, params } = ownProperties(message);
    if (!isRecord(message) || message.jsonrpc !== '2.0') {
      outlet.send(failure(null, new RpcError(INVALID_REQUEST, 'This is not a JSON-RPC message.')));
    } else if (typeof method !== 'string') {
      const asked = this.#asked.get(id);
      if (isRecord(message.error)) asked?.reject(new AnsweredError(message.error as JsonObject));
      else asked?.resolve(ownProperties(message.result) as JsonObject);
    } else if (id === undefined) {
      this.#notified(method, ownProperties(params) as JsonObject);
    } else if (typeof id !== 'string' && typeof id !== 'number') {
      outlet.send(
        failure(null, new RpcError(INVALID_REQUEST, 'The id of a request is malformed.')),
      );
    } else {
      await this.#answer(id, method, params, outlet, left);
    }
  }

  /** Sends a message that belongs to no request. */
  notify(method: string, params?: JsonObject): void {
    this.#outlet.send({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  /** Asks a client with a handshake. `outlet`: that of the request for which it is asked. */
  async ask(question: ServerRequest, outlet: MessageSink = this.#outlet): Promise<JsonObject> {
    const { method, params = {}, signal, onProgress } = question;
    const id = `toolfold-${++this.#lastQuestion}`;
    const asked = Promise.withResolvers<JsonObject>();
    const { progressToken } = metaOf(params);
    const isFollowed = progressToken !== undefined;
    // Tokens of several servers may be equal.
    const sent = isFollowed
      ? { ...params, _meta: { ...metaOf(params), progressToken: id } }
      : params;
    this.#asked.set(id, {
      ...asked,
      ...(isFollowed && { onProgress: (progress) => onProgress?.({ ...progress, progressToken }) }),
    });
    const over = AbortSignal.any([
      ...[signal, this.gone, this.#mute.signal],
      AbortSignal.timeout(ANSWER_TIME),
    ]);
    const onAbort = (): void => {
      asked.reject(over.reason);
      const given = { requestId: id, reason: errorMessage(over.reason) };
      outlet.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: given });
    };
    over.addEventListener('abort', onAbort, { once: true });
    try {
      over.throwIfAborted();
      outlet.send({ method, params: sent, jsonrpc: '2.0', id });
      return await asked.promise;
    } finally {
      over.removeEventListener('abort', onAbort);
      this.#asked.delete(id);
    }
  }

  /** The client sends nothing more. Resolves when its requests are answered; questions and subscriptions end. */
  async finish(): Promise<void> {
    this.#mute.abort(new DOMException('The client has closed its end.', 'AbortError'));
    for (const { stop, method } of this.#running.values())
      if (method === 'subscriptions/listen') stop.abort(this.#mute.signal.reason);
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Ends everything that the client started. */
  async close(): Promise<void> {
    if (this.gone.aborted) return;
    this.#gone.abort(new DOMException('The client has gone.', 'AbortError'));
    for (const { stop } of this.#running.values()) stop.abort(this.gone.reason);
    if (!this.isShared) await this.#host.closed(this);
  }

  async #answer(
    id: string | number,
    method: string,
    given: unknown,
    outlet: MessageSink,
    left: AbortSignal | undefined,
  ): Promise<void> {
    const isModern = hasEnvelope(given) || method === 'server/discover';
    const era = isModern ? 'modern' : 'legacy';
    if (this.#running.has(id) || this.#running.size >= MAX_REQUESTS) {
      const text = this.#running.has(id)
        ? 'A request with this id is being answered.'
        : 'There are too many requests at once.';
      outlet.send(failure(id, new RpcError(INVALID_REQUEST, text)));
      return;
    }
    const stop = new AbortController();
    const onLeft = (): void => stop.abort(new DOMException('The client has gone.', 'AbortError'));
    left?.addEventListener('abort', onLeft, { once: true });
    if (left?.aborted) onLeft();
    this.#running.set(id, { stop, method });
    const started = performance.now();
    let problem = '';
    try {
      const params = isRecord(given) ? (given as JsonObject) : {};
      const incoming = isModern
        ? this.#modern(id, method, params, outlet, stop.signal)
        : this.#legacy(id, method, params, outlet, stop.signal);
      const result =
        method === 'initialize' && !isModern
          ? await this.#initialize(params)
          : await this.#host.handle(incoming);
      if (!stop.signal.aborted)
        outlet.send({ result: resultFor(era, method, result), jsonrpc: '2.0', id });
    } catch (error) {
      problem = errorMessage(error);
      if (!stop.signal.aborted) outlet.send({ error: errorFor(era, error), jsonrpc: '2.0', id });
    } finally {
      left?.removeEventListener('abort', onLeft);
      this.#running.delete(id);
      if (this.#running.size === 0) this.#onIdle();
      if (method === 'tools/call') {
        const name = JSON.stringify(this.#host.toolOf(ownProperties(given) as JsonObject));
        const outcome = stop.signal.aborted ? 'cancelled' : oneLine(problem, 500) || 'answered';
        const ms = Math.round(performance.now() - started);
        this.#host.log(`${name.slice(0, 80)} ${ms} ms: ${outcome}`);
      }
    }
  }

  #modern(
    id: string | number,
    method: string,
    params: JsonObject,
    outlet: MessageSink,
    signal: AbortSignal,
  ): ClientRequest {
    const { capabilities, logLevel } = readEnvelope(params);
    if (LEGACY_ONLY.has(method))
      throw new RpcError(METHOD_NOT_FOUND, `${method} does not exist in ${MODERN}.`);
    const notify = (name: string, content: JsonObject): void =>
      outlet.send({ jsonrpc: '2.0', method: name, params: content });
    const era = 'modern' as const;
    return { client: this, id, era, method, params, capabilities, logLevel, signal, notify };
  }

  #legacy(
    id: string | number,
    method: string,
    params: JsonObject,
    outlet: MessageSink,
    signal: AbortSignal,
  ): ClientRequest {
    if (MODERN_ONLY.has(method)) throw new RpcError(METHOD_NOT_FOUND, 'Method not found');
    const { capabilities = {}, logLevel } = this;
    if (!this.isLegacy && method !== 'initialize' && method !== 'ping')
      throw new RpcError(
        INVALID_REQUEST,
        `The request names no revision, and there was no initialize. Send initialize first, or name ${MODERN} in _meta.`,
      );
    const notify = (name: string, content: JsonObject): void =>
      outlet.send({ jsonrpc: '2.0', method: name, params: content });
    const ask = (question: ServerRequest) => this.ask(question, outlet);
    const era = 'legacy' as const;
    return { client: this, id, era, method, params, capabilities, logLevel, signal, notify, ask };
  }

  async #initialize(params: JsonObject): Promise<JsonObject> {
    const { capabilities, clientInfo, protocolVersion } = params;
    this.capabilities = ownProperties(capabilities) as JsonObject;
    this.info = ownProperties(clientInfo) as JsonObject;
    const welcome = await this.#host.welcome(this);
    return { protocolVersion: agreedRevision(protocolVersion), ...welcome };
  }

  #notified(method: string, params: JsonObject): void {
    if (method === 'notifications/cancelled')
      this.#running.get(params.requestId)?.stop.abort(reasonOf(params));
    if (method === 'notifications/progress')
      this.#asked.get(params.progressToken)?.onProgress?.(params);
    if (method === 'notifications/roots/list_changed') this.#host.rootsChanged(this);
  }
}

/** Why a client cancels a request: the server gets the same words. `undefined` if it does not say. */
function reasonOf({ reason }: JsonObject): DOMException | undefined {
  return typeof reason === 'string' ? new DOMException(reason, 'AbortError') : undefined;
}

function failure(id: string | number | null, error: RpcError): JsonObject {
  return { error: errorFor('legacy', error), jsonrpc: '2.0', id };
}
