import { cut, isRecord, isTooDeep, MAX_NESTING, own, plainLine } from '../../tools/values/index.ts';
import type { JSONRPCMessage } from './sdk.ts';

type RequestId = string | number;
type Response = Extract<JSONRPCMessage, { result: unknown } | { error: unknown }>;

/** What a server sent, as messages the SDK's client understands. */
export interface Reading {
  readonly messages: readonly JSONRPCMessage[];
  /** Whether there was something that is no message at all. */
  readonly hasStray: boolean;
}

/** Messages and other lines that a server may write between two answers. */
const MAX_UNASKED = 1_000_000;

/** Characters at either end of a text that is not JSON in which an id is looked for. */
const EDGE = 300;

/** Lists within lists that are still read as one batch. */
const MAX_BATCH = 3;

/** JSON-RPC's code for a failure that is not the caller's. */
const INTERNAL_ERROR = -32_603;

/**
 * The requests of one connection that wait for an answer. The SDK drops a malformed response and
 * lets the request wait: here every response that can be attributed to a request becomes an answer
 * to it, an error that says what the server did where it is of no use. Mended are ids of the other
 * type, batches, members JSON-RPC does not know and a missing `jsonrpc`.
 */
export class PendingRequests {
  readonly #methods = new Map<RequestId, string>();
  /** Ids that were used at some time: a late answer is not one to another request. */
  readonly #names = new Set<string>();
  #highest = -1;
  #unasked = 0;
  readonly #hide: (text: string) => string;

  /** `hide` takes secrets out of what is shown of an answer; before any cut, which could halve one. */
  constructor(hide: (text: string) => string = (text) => text) {
    this.#hide = hide;
  }

  /** To be called for every message that goes out. */
  sent(message: unknown): void {
    const method = own(message, 'method');
    const id = own(message, 'id');
    if (typeof method !== 'string') return;
    if (method === 'notifications/cancelled') {
      this.settle(own(own(message, 'params'), 'requestId'));
    } else if (typeof id === 'number') {
      this.#highest = Math.max(this.#highest, id);
      this.#methods.set(id, method);
    } else if (typeof id === 'string') {
      this.#names.add(id);
      this.#methods.set(id, method);
    }
  }

  /** To be called when a request has its answer, or nobody waits for one. */
  settle(id: unknown): void {
    if (this.#methods.delete(id as RequestId)) this.#unasked = 0;
  }

  /** Counts what a server wrote that is no answer; why no more of it is read, where it is a flood. */
  unasked(): string | undefined {
    this.#unasked += 1;
    return this.#unasked > MAX_UNASKED
      ? `it sent more than ${MAX_UNASKED} messages that nobody asked for`
      : undefined;
  }

  isWaiting(id: unknown): boolean {
    return this.#methods.has(id as RequestId);
  }

  /** Reads a parsed message or batch. Never throws; a valid message is passed on as the same object. */
  read(value: unknown): Reading {
    const messages: JSONRPCMessage[] = [];
    let hasStray = Array.isArray(value) && value.length === 0;
    for (const item of Array.isArray(value) ? value.flat(MAX_BATCH) : [value]) {
      const message = this.#message(item);
      if (message) messages.push(message);
      // A late answer is no stray: nobody waits for it any more.
      else hasStray ||= !(isAnswer(item) && this.#wasUsed(own(item, 'id')));
    }
    return { messages, hasStray };
  }

  /**
   * The answer in the place of a text that is not JSON but is meant as the response to a waiting
   * request: cut off, or with a `NaN` as some languages write it. `undefined` for any other text.
   */
  unreadable(text: string): JSONRPCMessage | undefined {
    if (!/^\s*[{[]/.test(text) || !text.includes('"jsonrpc"')) return;
    for (const edge of [text.slice(0, EDGE), text.slice(-EDGE)]) {
      for (const [, digits, name] of edge.matchAll(
        /"id"\s*:\s*(?:(\d{1,15})|"([^"\\]{1,100})")/g,
      )) {
        const id = digits === undefined ? name : Number(digits);
        if (id !== undefined && this.isWaiting(id)) return errorAnswer(id, 'it is not valid JSON');
      }
    }
    return;
  }

  #message(value: unknown): JSONRPCMessage | undefined {
    if (!isRecord(value)) return;
    const method = own(value, 'method');
    if (!isAnswer(value) && typeof method === 'string') return call(value, method);
    const id = this.#idOf(value);
    if (id !== undefined) return this.#answer(id, value);
    const only = this.#idMeant(value);
    if (only === undefined) return;
    // An error that could not be attributed, to a message that could not be read, has no id.
    if (Object.hasOwn(value, 'error')) return errorOf(only, value, this.#hide);
    return errorAnswer(only, `its id is ${this.#hide(shownId(value.id))}, which no request has`);
  }

  #answer(id: RequestId, value: Record<string, unknown>): Response {
    const { result, error } = value;
    const hasError = error !== undefined && error !== null;
    const hasResult = result !== undefined && (result !== null || !hasError);
    if (hasError && hasResult) return errorAnswer(id, 'it has both a result and an error');
    if (hasError) return errorOf(id, value, this.#hide);
    if (!Object.hasOwn(value, 'result')) {
      return errorAnswer(id, 'it has neither a result nor an error');
    }
    if (!isRecord(result)) return errorAnswer(id, `its result is ${kindOf(result)}, not an object`);
    const meta = own(result, '_meta');
    if (meta !== undefined && !isRecord(meta)) {
      return errorAnswer(id, `its "_meta" is ${kindOf(meta)}, not an object`);
    }
    // Of a listing one tool may be at fault: they are judged one by one.
    if (this.#methods.get(id) !== 'tools/list' && isTooDeep(result)) {
      return errorAnswer(id, `its result is nested more than ${MAX_NESTING} levels deep`);
    }
    if (!isForeign(value, id)) return value as unknown as Response;
    return { jsonrpc: '2.0', id, result } as Response;
  }

  /** The waiting request that a response names. */
  #idOf(value: Record<string, unknown>): RequestId | undefined {
    const id = own(value, 'id');
    if (this.isWaiting(id)) return id as RequestId;
    const isNumber = typeof id === 'string' && /^\d{1,15}$/.test(id);
    return isNumber && this.isWaiting(Number(id)) ? Number(id) : undefined;
  }

  /** The only request that waits, where a response names none that ever was. */
  #idMeant(value: Record<string, unknown>): RequestId | undefined {
    const id = own(value, 'id');
    if (!isAnswer(value) || value.jsonrpc !== '2.0' || this.#wasUsed(id)) return;
    const [only, ...others] = this.#methods.keys();
    return others.length === 0 ? only : undefined;
  }

  #wasUsed(id: unknown): boolean {
    if (typeof id === 'number') return id >= 0 && id <= this.#highest;
    if (typeof id !== 'string') return false;
    return this.#names.has(id) || (/^\d{1,15}$/.test(id) && Number(id) <= this.#highest);
  }
}

/**
 * The JSON of a message that was read from a text: that text itself where nothing was changed. An
 * error where it cannot be written, being a listing nested too deeply for that.
 */
export function messageText(message: JSONRPCMessage, value: unknown, text: string): string {
  if (message === value) return text;
  try {
    return JSON.stringify(message);
  } catch {
    const id = own(message, 'id') as RequestId;
    return JSON.stringify(errorAnswer(id, 'it is malformed and nested too deeply'));
  }
}

function isAnswer(value: unknown): boolean {
  return isRecord(value) && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'));
}

/** The answer in a server's place: an error that says what it did. */
export function errorAnswer(id: RequestId, what: string): Response {
  const message = `The server's answer cannot be used: ${what}.`;
  return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } };
}

/** A request or notification of the server; `undefined` where it is malformed. */
function call(value: Record<string, unknown>, method: string): JSONRPCMessage | undefined {
  const { id, params } = value;
  if (params !== undefined && (!isRecord(params) || isTooDeep(params))) return;
  const isRequest = typeof id === 'string' || Number.isSafeInteger(id);
  if (id !== undefined && !isRequest) return;
  const isPlain = value.jsonrpc === '2.0' && Object.keys(value).every((key) => CALL.has(key));
  if (isPlain) return value as unknown as JSONRPCMessage;
  const kept = { method, ...(params && { params }), ...(isRequest && { id: id as RequestId }) };
  return { jsonrpc: '2.0', ...kept } as JSONRPCMessage;
}

const CALL = new Set(['jsonrpc', 'id', 'method', 'params']);
const ANSWER = new Set(['jsonrpc', 'id', 'result', 'error']);

function isForeign(value: Record<string, unknown>, id: RequestId): boolean {
  return (
    value.jsonrpc !== '2.0' ||
    value.id !== id ||
    value.error === null ||
    Object.keys(value).some((key) => !ANSWER.has(key))
  );
}

/** An error is an answer whatever its form; its text is kept, bounded. */
function errorOf(
  id: RequestId,
  value: Record<string, unknown>,
  hide: (text: string) => string,
): Response {
  const { error } = value;
  const code = own(error, 'code');
  const message = own(error, 'message');
  const data = own(error, 'data');
  const text = typeof message === 'string' ? hide(message) : inWords(error, hide);
  return {
    jsonrpc: '2.0',
    id,
    error: {
      code: Number.isSafeInteger(code) ? Number(code) : INTERNAL_ERROR,
      message: cut(text, MAX_ERROR),
      ...(data === undefined || isTooDeep(data) ? {} : { data }),
    },
  };
}

/** Characters of an error's message. */
const MAX_ERROR = 10_000;

function inWords(error: unknown, hide: (text: string) => string): string {
  if (typeof error === 'string') return hide(error);
  const json = isTooDeep(error) ? '' : JSON.stringify(error);
  return `The server sent an error without a message: ${plainLine(hide(json), 200)}`;
}

function shownId(id: unknown): string {
  if (typeof id === 'number') return String(id);
  // A long one says no more, and could end in half of a secret.
  return typeof id === 'string' && id.length <= 60
    ? plainLine(JSON.stringify(id), 100)
    : kindOf(id);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  return `a ${typeof value}`;
}
