import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import {
  formatNumber,
  isRecord,
  isTooDeep,
  MAX_NESTING,
  ownProperties,
  ownProperty,
  plainLine,
  truncate,
} from '@toolfold/core/internal/values';
import { StandIns, StrayAnswers } from './messages.ts';

type RequestId = string | number;
type Response = Extract<JSONRPCMessage, { result: unknown } | { error: unknown }>;

/** Received data as messages that the SDK's client accepts. */
interface ParsedMessages {
  readonly messages: readonly JSONRPCMessage[];
  /** Whether the data held something that is not a message. */
  readonly hasStray: boolean;
}

/** Maximum messages and other lines of a server between two answers. */
const MAX_UNASKED = 1_000_000;

/** Characters at both ends of malformed JSON that are searched for an id. */
const EDGE = 300;

/** Maximum nesting of lists that are read as one batch. */
const MAX_BATCH = 3;

/** Messages of a handshake. Nothing is sent before their answer, so an answer without an id is theirs. */
export const HANDSHAKE: ReadonlySet<unknown> = new Set(['initialize', 'server/discover']);

/** The ids of our requests are higher. The SDK's client counts from 0 on the same connection. */
export const FIRST_OWN_ID = 1_000_000_000;

const INTERNAL_ERROR = -32_603;

/**
 * The open requests of one connection. The SDK drops a malformed response, and its request waits for
 * ever. Here each response that belongs to a request answers it; an unusable response becomes an error
 * that says what the server did. A response belongs to the request with its id. Without a usable id it
 * belongs to the request whose POST carries it, or to a handshake if nothing else was sent. Repairs ids of
 * the wrong type, batches, unknown members and a missing `jsonrpc`.
 */
export class PendingRequests {
  readonly #methods = new Map<RequestId, string>();
  /** String ids used so far. With them a late answer is recognized. */
  readonly #names = new Set<string>();
  /** The last numbers used as ids: by the SDK's client, and by us. */
  #lastOfClient = -1;
  #lastOwn = FIRST_OWN_ID;
  #unasked = 0;
  #isHandshake = true;
  readonly #answered = new Set<string>();
  readonly strays: StrayAnswers = new StrayAnswers();
  readonly standIns: StandIns = new StandIns();
  readonly #hide: (text: string) => string;

  /** `hide` removes secrets from displayed text. It runs before a text is cut, because a cut could split a secret. */
  constructor(hide: (text: string) => string = (text) => text) {
    this.#hide = hide;
  }

  /** Call this for each outgoing message. */
  sent(message: unknown): void {
    const method = ownProperty(message, 'method');
    const id = ownProperty(message, 'id');
    if (typeof method !== 'string') return;
    this.#isHandshake &&= HANDSHAKE.has(method);
    if (method === 'notifications/cancelled') {
      this.settle(ownProperty(ownProperty(message, 'params'), 'requestId'));
    } else if (typeof id === 'number') {
      if (id > FIRST_OWN_ID) this.#lastOwn = id;
      else this.#lastOfClient = Math.max(this.#lastOfClient, id);
      this.#methods.set(id, method);
    } else if (typeof id === 'string') {
      this.#names.add(id);
      this.#methods.set(id, method);
    }
  }

  /** Call this when a request has its answer or is abandoned. */
  settle(id: unknown): void {
    this.standIns.forget(id);
    if (this.#methods.delete(id as RequestId)) this.#unasked = 0;
  }

  /** Counts a message that is not an answer. Returns a reason to disconnect if there are too many. */
  countUnasked(): string | undefined {
    this.#unasked += 1;
    return this.#unasked > MAX_UNASKED
      ? `it sent more than ${formatNumber(MAX_UNASKED)} messages without being asked`
      : undefined;
  }

  /** Whether the server answered a request with this method, also with an error. */
  hasAnswered(method: string): boolean {
    return this.#answered.has(method);
  }

  isWaiting(id: unknown): boolean {
    return this.#methods.has(id as RequestId);
  }

  /**
   * Reads a parsed message or batch. Never throws. Returns a valid message as the same object. `carrier`:
   * the request whose POST carries it.
   */
  read(value: unknown, carrier?: RequestId): ParsedMessages {
    const messages: JSONRPCMessage[] = [];
    let hasStray = Array.isArray(value) && value.length === 0;
    for (const item of Array.isArray(value) ? value.flat(MAX_BATCH) : [value]) {
      const message = this.#message(item, carrier);
      if (message) messages.push(message);
      else hasStray ||= !this.#isKnownStray(item);
    }
    return { messages, hasStray };
  }

  /**
   * The error for a text that is not JSON but is meant as the response to an open request, for example
   * cut off or with `NaN`. `undefined` for any other text.
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

  #message(value: unknown, carrier: RequestId | undefined): JSONRPCMessage | undefined {
    if (!isRecord(value)) return;
    const { method } = value;
    if (!isAnswer(value) && typeof method === 'string') return call(value, method);
    const id = this.#idOf(value);
    const meant = id ?? this.#idMeant(value, carrier);
    if (meant === undefined) return;
    const asked = this.#methods.get(meant);
    if (asked !== undefined && HANDSHAKE.has(asked)) this.#answered.add(asked);
    if (id !== undefined) return this.#answer(id, value);
    // A server that could not read a request answers it with an error without id.
    if (Object.hasOwn(value, 'error')) return errorOf(meant, value, this.#hide);
    return errorAnswer(meant, `its id is ${this.#hide(shownId(value.id))}, which no request has`);
  }

  /** Whether a value that answers no request is an answer all the same. Keeps it for the time-out of a call. */
  #isKnownStray(value: unknown): boolean {
    if (!isRecord(value) || !isAnswer(value)) return false;
    // A late answer to an abandoned request is dropped without a remark.
    if (this.#wasUsed(value.id)) return true;
    if (value.jsonrpc !== '2.0') return false;
    this.strays.add(this.#described(value));
    return true;
  }

  #described(value: Record<string, unknown>): string {
    const isError = Object.hasOwn(value, 'error');
    const id = value.id ?? undefined;
    const named =
      id === undefined
        ? 'without an id'
        : `with the id ${this.#hide(shownId(id))}, which no request has`;
    if (!isError) return `a result ${named}`;
    const { error } = errorOf('', value, this.#hide) as { error: { message: string } };
    return `an error ${named}: ${plainLine(error.message, MAX_STRAY)}`;
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
    const { _meta: meta } = result;
    if (meta !== undefined && !isRecord(meta)) {
      return errorAnswer(id, `its "_meta" is ${kindOf(meta)}, not an object`);
    }
    // In a listing only one tool may be nested too deeply, so its tools are checked separately.
    if (this.#methods.get(id) !== 'tools/list' && isTooDeep(result)) {
      return errorAnswer(id, `its result is nested more than ${MAX_NESTING} levels deep`);
    }
    if (!isForeign(value, id)) return value as unknown as Response;
    return { jsonrpc: '2.0', id, result } as Response;
  }

  /** The id of the open request that a response names. */
  #idOf(value: Record<string, unknown>): RequestId | undefined {
    const { id } = value;
    if (this.isWaiting(id)) return id as RequestId;
    const isNumber = typeof id === 'string' && /^\d{1,15}$/.test(id);
    return isNumber && this.isWaiting(Number(id)) ? Number(id) : undefined;
  }

  /** The request that a response belongs to which names no known request. */
  #idMeant(value: Record<string, unknown>, carrier: RequestId | undefined): RequestId | undefined {
    const { id } = value;
    if (!isAnswer(value) || value.jsonrpc !== '2.0' || this.#wasUsed(id)) return;
    if (carrier !== undefined) return this.isWaiting(carrier) ? carrier : undefined;
    if (!this.#isHandshake) return;
    const [only, ...others] = this.#methods.keys();
    return others.length === 0 ? only : undefined;
  }

  #wasUsed(id: unknown): boolean {
    if (typeof id === 'number') {
      return id > FIRST_OWN_ID ? id <= this.#lastOwn : id >= 0 && id <= this.#lastOfClient;
    }
    if (typeof id !== 'string') return false;
    return this.#names.has(id) || (/^\d{1,15}$/.test(id) && this.#wasUsed(Number(id)));
  }
}

function isAnswer(value: Record<string, unknown>): boolean {
  return Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error');
}

/** An error response that replaces the server's answer and says what is wrong with it. */
export function errorAnswer(id: RequestId, what: string): Response {
  const message = `The server's answer cannot be used: ${what}.`;
  return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } };
}

/** An error response for a request that gets no answer any more. Nobody knows what it did. */
export function noAnswer(id: RequestId, what: string): Response {
  const message = `The server gave no answer: ${what}.`;
  const error = { code: INTERNAL_ERROR, message, data: { outcome: 'unknown' } };
  return { jsonrpc: '2.0', id, error };
}

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

function errorOf(
  id: RequestId,
  value: Record<string, unknown>,
  hide: (text: string) => string,
): Response {
  const { error } = value;
  const { code, message, data } = ownProperties(error);
  const text = typeof message === 'string' ? hide(message) : inWords(error, hide);
  const isUsable = Number.isSafeInteger(code) && text === message && text.length <= MAX_ERROR;
  if (isUsable && !isTooDeep(error)) return { jsonrpc: '2.0', id, error } as Response;
  return {
    jsonrpc: '2.0',
    id,
    error: {
      code: Number.isSafeInteger(code) ? Number(code) : INTERNAL_ERROR,
      message: truncate(text, MAX_ERROR),
      ...(data !== undefined && !isTooDeep(data) && { data }),
    },
  };
}

const MAX_ERROR = 10_000;

const MAX_STRAY = 200;

function inWords(error: unknown, hide: (text: string) => string): string {
  if (typeof error === 'string') return hide(error);
  const json = isTooDeep(error) ? '' : JSON.stringify(error);
  return `The server sent an error without a message: ${plainLine(hide(json), 200)}`;
}

function shownId(id: unknown): string {
  if (typeof id === 'number') return String(id);
  // A long id is not shown: it explains nothing, and a cut could leave half of a secret.
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

/** The notifications that a client handles. */
const HANDLED: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/elicitation/complete',
  'notifications/message',
  'notifications/progress',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/subscriptions/acknowledged',
  'notifications/tools/list_changed',
]);

/** Whether a message is a notification that nobody handles. Such messages are dropped before the SDK reads them. */
export function isUnhandled(message: object): boolean {
  return 'method' in message && !('id' in message) && !HANDLED.has(String(message.method));
}
