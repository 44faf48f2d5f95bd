import { errorMessage } from '@toolfold/core/internal/errors.ts';
import {
  isRecord,
  type JsonObject,
  ownProperties,
  ownProperty,
  withDigits,
} from '@toolfold/core/internal/values';
import { lostConnection, type Transport } from '../sdk.ts';
import { FIRST_OWN_ID } from './pending-requests.ts';

/** Whom a request is for. Requests with the same owner are of one client. */
export interface Addressee {
  readonly owner: object;
}

/** A request or notification of a server, with every field as received. */
export interface ServerMessage {
  readonly method: string;
  readonly params: JsonObject | undefined;
  /**
   * Of the request that it belongs to; `undefined` if none runs. `several`: requests of several owners
   * run, and it may belong to any of them.
   */
  readonly addressee: Addressee | 'several' | undefined;
}

/** A request of a server. */
export interface ServerQuestion extends ServerMessage {
  readonly signal: AbortSignal;
  /** Sends the server a notice of progress, with these parameters. */
  readonly onProgress?: ((params: JsonObject) => void) | undefined;
}

/** Takes what a server asks and tells, unread. */
export interface ServerHandler {
  /** Answers a request. A rejection is sent as an error; `error` of an `AnsweredError` as it is. */
  ask(question: ServerQuestion): Promise<object>;
  tell(message: ServerMessage): void;
}

/** Options of a request. */
export interface ChannelRequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the request is given up. */
  readonly timeout?: number | undefined;
  /** With it, each notice of progress begins the time again, up to so many milliseconds in all. */
  readonly maxTime?: number | undefined;
  /** HTTP headers of this request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly addressee?: Addressee | undefined;
  /** The lowest level of log messages to ask for, since 2026-07-28. Before, it is no matter of a request. */
  readonly logLevel?: string | undefined;
  /** Gets the parameters of each notice of progress. With it, the server is asked for them. */
  readonly onProgress?: ((params: JsonObject) => void) | undefined;
}

/** The error with which a server answered a request, as received. */
export class AnsweredError extends Error {
  readonly error: JsonObject;
  readonly code: unknown;
  readonly data: unknown;

  constructor(error: JsonObject) {
    super(String(error.message));
    this.error = error;
    this.code = error.code;
    this.data = error.data;
  }
}

/** The field of a request's `_meta` that asks for log messages. */
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

const METHOD_NOT_FOUND = -32_601;
const INTERNAL_ERROR = -32_603;

interface PendingRequest {
  readonly options: ChannelRequestOptions;
  readonly settle: (answer: JsonObject) => void;
  readonly fail: (error: unknown) => void;
  /** Begins its time again, if a notice of progress does. */
  readonly renew?: (() => void) | undefined;
}

type Message = Parameters<Transport['send']>[0];
type SendExtras = Parameters<Transport['send']>[1];

/**
 * The requests of both sides on a connection, beside the SDK's client: its decoding loses fields, and refuses
 * what its schemas and the revision do not know. Takes its answers, and all requests of the server, before the
 * client gets them.
 */
export class Channel {
  readonly #transport: Transport;
  readonly #onRefused: (method: string) => void;
  /** Answers the server. */
  handler: ServerHandler | undefined;
  /** Fields that each request has in its `_meta`, since 2026-07-28. */
  #envelope: JsonObject | undefined;
  readonly #waiting = new Map<unknown, PendingRequest>();
  /** The requests of the server that are being answered, with their ids. A server may use an id twice. */
  readonly #answering = new Map<AbortController, unknown>();
  #lastId = FIRST_OWN_ID;
  #isClosing = false;
  #isClosed = false;

  /** `onRefused`: called if the server takes no answer to its request. */
  constructor(transport: Transport, onRefused: (method: string) => void) {
    this.#transport = transport;
    this.#onRefused = onRefused;
  }

  /** Call this when the client is connected. */
  connected(envelope: JsonObject | undefined): void {
    this.#envelope = envelope;
    const { onclose } = this.#transport;
    this.#transport.onclose = () => {
      this.#isClosed = true;
      for (const { fail } of this.#waiting.values()) fail(lostConnection('Connection closed'));
      this.closing();
      onclose?.();
    };
  }

  /** The number of requests of the server whose answers it has not read. */
  get open(): number {
    return this.#answering.size;
  }

  /** Call this before the connection is closed. Nobody is asked any more. */
  closing(): void {
    this.#isClosing = true;
    for (const stop of this.#answering.keys()) stop.abort();
  }

  /** Resolves with the result as received. Rejects with `AnsweredError`, or if there is no answer. */
  request(method: string, params: JsonObject, options: ChannelRequestOptions): Promise<JsonObject> {
    const { signal, timeout, maxTime, headers, onProgress } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#isClosed) return Promise.reject(lostConnection('Not connected', 'NOT_CONNECTED'));
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const hasOwnStream = ownProperty(this.#transport, 'hasPerRequestStream') === true;
    const over = hasOwnStream && this.#envelope ? new AbortController() : undefined;
    const giveUp = (error: unknown): void => {
      fail(error);
      over?.abort();
      if (over) return;
      const given = { requestId: id, reason: errorMessage(error) };
      const notice = { jsonrpc: '2.0' as const, method: 'notifications/cancelled', params: given };
      this.#transport.send(notice).catch(() => {});
    };
    const late = (isMax: boolean): void =>
      giveUp(
        Object.assign(new Error('There was no answer in time.'), {
          code: 'REQUEST_TIMEOUT',
          isMax,
        }),
      );
    let timer = timeout === undefined ? undefined : setTimeout(late, timeout, false);
    const renew = (): void => {
      clearTimeout(timer);
      timer = setTimeout(late, timeout, false);
    };
    const isExtended = maxTime !== undefined && timeout !== undefined && maxTime > timeout;
    const maxTimer = isExtended ? setTimeout(late, maxTime, true) : undefined;
    const onAbort = (): void => giveUp(signal?.reason);
    const end = (): void => {
      clearTimeout(timer);
      clearTimeout(maxTimer);
      signal?.removeEventListener('abort', onAbort);
      this.#waiting.delete(id);
    };
    const fail = (error: unknown): void => {
      end();
      reject(error);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.set(id, {
      options,
      settle: ({ result, error }) => {
        end();
        if (isRecord(result)) resolve(result as JsonObject);
        else reject(new AnsweredError(error as JsonObject));
      },
      fail,
      ...(isExtended && { renew }),
    });
    const given = this.#withMeta(params, onProgress && id, options.logLevel);
    const message = { method, params: withDigits(given), jsonrpc: '2.0', id };
    const extras = {
      ...(headers && { headers }),
      ...(over && { requestSignal: over.signal }),
    };
    this.#transport.send(message as Message, extras as SendExtras).catch((error: unknown) => {
      this.#waiting.get(id)?.fail(error);
    });
    return promise;
  }

  #withMeta(
    params: JsonObject,
    progressToken: number | undefined,
    logLevel: string | undefined,
  ): JsonObject {
    const { _meta: given, ...others } = params;
    if (this.#envelope === undefined && progressToken === undefined) return params;
    const added = {
      ...(progressToken !== undefined && { progressToken }),
      ...this.#envelope,
      ...(this.#envelope && logLevel !== undefined && { [LOG_LEVEL]: logLevel }),
    };
    return { ...others, _meta: { ...ownProperties(given), ...added } as JsonObject };
  }

  /** Takes a message of the server that is not for the client. Returns whether it was taken. */
  take(message: unknown, carrier: unknown): boolean {
    if (this.#isClosed) return true;
    const { id, method, params } = ownProperties(message);
    if (typeof method !== 'string') {
      const waiting = this.#waiting.get(id);
      waiting?.settle(message as JsonObject);
      return waiting !== undefined || (typeof id === 'number' && id > FIRST_OWN_ID);
    }
    const given = isRecord(params) ? (params as JsonObject) : undefined;
    if (method === 'notifications/progress') {
      const waiting = this.#waiting.get(tokenOf(given));
      waiting?.renew?.();
      if (given) tell(() => waiting?.options.onProgress?.(given));
      return waiting !== undefined;
    }
    const received = { method, params: given, addressee: this.#addressee(carrier) };
    if (id !== undefined) {
      if (!this.#isClosing) void this.#answer(id, received);
      return true;
    }
    if (method === 'notifications/cancelled') {
      const stopped = [...this.#answering].filter(([, of]) => of === given?.requestId);
      for (const [stop] of stopped) stop.abort();
      return stopped.length > 0;
    }
    tell(() => this.handler?.tell(received));
    // The client follows changes of the list of tools too.
    return false;
  }

  async #answer(id: unknown, message: ServerMessage): Promise<void> {
    const stop = new AbortController();
    this.#answering.set(stop, id);
    const onProgress = (params: JsonObject): void => {
      const notice = { jsonrpc: '2.0', method: 'notifications/progress', params } as const;
      this.#transport.send(notice as Message).catch(() => {});
    };
    const outcome = await this.#outcomeOf({ ...message, signal: stop.signal, onProgress }).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: errorOf(error) }),
    );
    const answer = { jsonrpc: '2.0', id, ...withDigits(outcome) };
    if (!stop.signal.aborted) {
      await this.#transport
        .send(answer as Message)
        .catch(() => this.#envelope && this.#onRefused(message.method));
    }
    this.#answering.delete(stop);
  }

  async #outcomeOf(question: ServerQuestion): Promise<object> {
    if (question.method === 'ping') return {};
    if (this.handler) return this.handler.ask(question);
    throw Object.assign(new Error('Method not found'), { code: METHOD_NOT_FOUND });
  }

  #addressee(carrier: unknown): ServerMessage['addressee'] {
    const named = this.#waiting.get(carrier)?.options.addressee;
    if (named) return named;
    let found: Addressee | undefined;
    for (const { options } of this.#waiting.values()) {
      const { addressee } = options;
      if (addressee === undefined) continue;
      if (found && found.owner !== addressee.owner) return 'several';
      found = addressee;
    }
    return found;
  }
}

/** The token of a notice of progress. Some servers send it back as text. */
function tokenOf(params: JsonObject | undefined): unknown {
  const token = params?.progressToken;
  return typeof token === 'string' && /^\d{1,15}$/.test(token) ? Number(token) : token;
}

/** An error of the host is no fault of the server. */
function tell(listener: () => void): void {
  try {
    listener();
  } catch {
    // Nobody waits for it.
  }
}

function errorOf(error: unknown): object {
  if (error instanceof AnsweredError) return error.error;
  const code = ownProperty(error, 'code');
  return {
    code: Number.isSafeInteger(code) ? code : INTERNAL_ERROR,
    message: errorMessage(error),
  };
}
