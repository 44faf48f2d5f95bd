import { randomBytes } from 'node:crypto';
import { canonicalJson, type JsonObject, ownProperties } from '@toolfold/core/internal/values';
import {
  type Client,
  type ClientRequest,
  INVALID_PARAMS,
  metaOf,
  RpcError,
  type ServerRequest,
} from '../gateway-clients/index.ts';
import { isWanted, type RequestAddressee, sendProgress } from './questions.ts';

/** Milliseconds for the answers to the questions of one round. */
const ANSWER_TIME = 300_000;

/** Milliseconds in which questions become one round. */
const TOGETHER = 20;

/** Maximum calls that wait for answers. */
const MAX_PARKED = 1000;

/** Maximum calls of one client that wait for answers: each may hold a process, and its client may have gone. */
const MAX_OF_SHARED = 8;

/** The same of a client that is known to be there. */
const MAX_OF_CLIENT = 100;

/** What a state of the gateway begins with. Servers have states of their own. */
const PREFIX = 'toolfold-';

/** The field of `_meta` in which a client says what it is. */
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** What is put before the states of other gateways, which look like those of this one. */
const OTHERS = 'toolfold+';

/** Runs a request on a server. */
export type RequestRunner = (asker: RequestAddressee, signal: AbortSignal) => Promise<JsonObject>;

/** Whether the client answers questions of the gateway, not of the server itself. */
export function isParked({ params }: ClientRequest): boolean {
  return typeof params.requestState === 'string' && params.requestState.startsWith(PREFIX);
}

/** A result of a server whose state cannot be taken for one of this gateway. */
export function withOuterState(result: JsonObject): JsonObject {
  const { requestState: state } = result;
  if (typeof state !== 'string' || !/^toolfold[-+]/.test(state)) return result;
  return { ...result, requestState: `${OTHERS}${state}` };
}

/** The parameters with the state as the server gave it. */
export function withInnerState(params: JsonObject): JsonObject {
  const { requestState: state } = params;
  if (typeof state !== 'string' || !state.startsWith(OTHERS)) return params;
  return { ...params, requestState: state.slice(OTHERS.length) };
}

/**
 * Requests of clients of 2026-07-28 on servers that ask in the way of older revisions. The questions become a
 * result, and the request on the server waits for the client to come again with the answers.
 */
export class ParkedCalls {
  readonly #calls = new Map<string, ParkedCall>();

  /** Runs a request until it has a result or a question. */
  start(incoming: ClientRequest, run: RequestRunner): Promise<JsonObject> {
    return new ParkedCall(this.#calls, incoming).begin(incoming, run);
  }

  /** Goes on with the answers. Rejects if the state is unknown, was used, or belongs to another request. */
  resume(incoming: ClientRequest): Promise<JsonObject> {
    const state = String(incoming.params.requestState);
    const call = this.#calls.get(state);
    if (call?.belongsTo(incoming) !== true)
      throw new RpcError(
        INVALID_PARAMS,
        'The requestState is unknown: it was used, is too old, or belongs to another request. Send the request again without it.',
      );
    this.#calls.delete(state);
    return call.resume(incoming);
  }

  /** The number of calls that wait for answers. */
  get size(): number {
    return this.#calls.size;
  }
}

class ParkedCall implements RequestAddressee {
  readonly owner: object;
  readonly #calls: Map<string, ParkedCall>;
  readonly #binding: string;
  /** Who has sent it, as far as that is known. */
  readonly #sender: unknown;
  readonly #client: Client;
  readonly #stop = new AbortController();
  readonly #questions = new Map<string, ParkedQuestion>();
  #incoming: ClientRequest | undefined;
  #done: Promise<JsonObject> | undefined;
  /** Resolves the answer to the request that waits, with questions. */
  #ask: (questions: JsonObject) => void = () => {};
  #collecting: NodeJS.Timeout | undefined;
  #deadline: NodeJS.Timeout | undefined;
  /** Makes the state unknown. */
  #forget: () => void = () => {};
  #lastProgress: JsonObject | undefined;
  #lastKey = 0;
  #leave: () => void = () => {};

  constructor(calls: Map<string, ParkedCall>, incoming: ClientRequest) {
    const { client } = incoming;
    this.#calls = calls;
    this.#client = client;
    this.#binding = bindingOf(incoming);
    this.#sender = client.isShared ? nameOf(incoming) : client;
    // Without sessions nobody knows whether two requests are of one program.
    this.owner = client.isShared ? this : client;
  }

  begin(incoming: ClientRequest, run: RequestRunner): Promise<JsonObject> {
    this.#done = run(this, this.#stop.signal);
    const onGone = (): void => this.#stop.abort(this.#client.gone.reason);
    this.#client.gone.addEventListener('abort', onGone, { once: true });
    if (this.#client.gone.aborted) onGone();
    const end = (): void => {
      clearTimeout(this.#collecting);
      this.#client.gone.removeEventListener('abort', onGone);
    };
    this.#done.then(end, end);
    return this.#wait(incoming);
  }

  belongsTo(incoming: ClientRequest): boolean {
    const { client } = incoming;
    // Without sessions all requests come with the one token of the gateway.
    const isSame = this.#client === client || (this.#client.isShared && client.isShared);
    return isSame && this.#binding === bindingOf(incoming);
  }

  resume(incoming: ClientRequest): Promise<JsonObject> {
    clearTimeout(this.#deadline);
    const answers = ownProperties(incoming.params.inputResponses);
    const open = [...this.#questions];
    this.#questions.clear();
    for (const [key, { settle, ...question }] of open) {
      const answer = answers[key];
      if (answer === undefined) this.#questions.set(key, { ...question, settle });
      else settle.resolve(answer as JsonObject);
    }
    // What has no answer is asked again.
    if (this.#questions.size > 0) this.#collect();
    return this.#wait(incoming);
  }

  onPlace(giveBack: () => void): void {
    this.#leave = giveBack;
  }

  async ask({ method, params = {}, signal }: ServerRequest): Promise<JsonObject> {
    this.#leave();
    const key = `question-${++this.#lastKey}`;
    const settle = Promise.withResolvers<JsonObject>();
    this.#questions.set(key, { method, params, settle });
    const over = AbortSignal.any([signal, this.#stop.signal]);
    const onAbort = (): void => settle.reject(over.reason);
    over.addEventListener('abort', onAbort, { once: true });
    if (over.aborted) onAbort();
    this.#collect();
    try {
      return await settle.promise;
    } finally {
      this.#questions.delete(key);
      over.removeEventListener('abort', onAbort);
    }
  }

  tell(method: string, params: JsonObject | undefined): void {
    const incoming = this.#incoming;
    if (incoming && isWanted(incoming, method, params)) incoming.notify(method, params ?? {});
  }

  progress(params: JsonObject): void {
    if (this.#incoming) sendProgress(this.#incoming, params);
    else this.#lastProgress = params;
  }

  async #wait(incoming: ClientRequest): Promise<JsonObject> {
    this.#incoming = incoming;
    if (this.#lastProgress) sendProgress(incoming, this.#lastProgress);
    this.#lastProgress = undefined;
    const onAbort = (): void => this.#stop.abort(incoming.signal.reason);
    incoming.signal.addEventListener('abort', onAbort, { once: true });
    if (incoming.signal.aborted) onAbort();
    const asked = new Promise<JsonObject>((resolve) => {
      this.#ask = resolve;
    });
    try {
      return await Promise.race([asked, this.#done ?? asked]);
    } finally {
      incoming.signal.removeEventListener('abort', onAbort);
      this.#incoming = undefined;
    }
  }

  /** Ends the round soon. Without a client that waits, the questions wait for the next round. */
  #collect(): void {
    clearTimeout(this.#collecting);
    this.#collecting = setTimeout(() => this.#park(), TOGETHER);
  }

  #park(): void {
    if (this.#incoming === undefined || this.#questions.size === 0) return;
    this.#makeRoom();
    const requestState = `${PREFIX}${randomBytes(24).toString('base64url')}`;
    this.#calls.set(requestState, this);
    this.#forget = () => {
      clearTimeout(this.#deadline);
      this.#calls.delete(requestState);
    };
    this.#deadline = setTimeout(() => this.#end('There was no answer in time.'), ANSWER_TIME);
    this.#deadline.unref();
    const inputRequests = Object.fromEntries(
      [...this.#questions].map(([key, { method, params }]) => [key, { method, params }]),
    );
    this.#ask({ resultType: 'input_required', inputRequests, requestState });
  }

  /** Ends calls that wait, so that one more can: the oldest of this client, or of the client that has most. */
  #makeRoom(): void {
    const bySender = Map.groupBy(this.#calls.values(), (call) => call.#sender);
    const own = bySender.get(this.#sender) ?? [];
    const limit = this.#client.isShared ? MAX_OF_SHARED : MAX_OF_CLIENT;
    const most = [...bySender.values()].sort((one, other) => other.length - one.length)[0];
    const full = own.length >= limit ? own : this.#calls.size >= MAX_PARKED ? most : undefined;
    const [oldest] = full ?? [];
    if (oldest) oldest.#end('The client has too many questions that it did not answer.');
  }

  #end(reason: string): void {
    this.#forget();
    this.#stop.abort(new Error(reason));
  }
}

interface ParkedQuestion {
  readonly method: string;
  readonly params: JsonObject;
  readonly settle: PromiseWithResolvers<JsonObject>;
}

/** What the sender of a request calls itself. */
function nameOf({ params }: ClientRequest): string {
  return canonicalJson(metaOf(params)[CLIENT_INFO] ?? null).slice(0, 500);
}

/** What a request must have in common with the one that it goes on with. */
function bindingOf({ method, params }: ClientRequest): string {
  const { _meta: _, inputResponses: __, requestState: ___, ...others } = params;
  return canonicalJson({ method, others });
}
