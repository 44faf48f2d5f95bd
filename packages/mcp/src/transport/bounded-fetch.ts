import {
  bytesUpTo,
  ownProperties,
  ownProperty,
  parsedJson,
  truncate,
} from '@toolfold/core/internal/values';
import { redact } from '../redact.ts';
import type { FetchLike, JSONRPCMessage } from '../sdk.ts';
import { filterEventStream } from './event-stream.ts';
import { reasonInWords } from './failure.ts';
import { excessOf, MAX_MESSAGE, tooLong } from './messages.ts';
import type { ConnectionWatch, HandshakeAnswers } from './open-transport.ts';
import { errorAnswer, HANDSHAKE } from './pending-requests.ts';

const MAX_READ = 64 * 1024;
/** Maximum characters displayed. Far fewer than are read, because the end may hold half of a secret. */
const MAX_SHOWN = 4000;

interface BoundedFetchOptions extends ConnectionWatch {
  /** Whether all answers come on one stream, as in the HTTP+SSE transport of 2024, not in the body of each request. */
  readonly isOneStream: boolean;
  readonly handshake?: HandshakeAnswers;
}

/**
 * Creates a `fetch` for an MCP transport. It bounds bodies after decompression, turns malformed
 * answers into errors of their request, removes secrets from error bodies, and repeats requests that
 * change nothing once where a connection breaks off.
 */
export function boundedFetch(options: BoundedFetchOptions): FetchLike {
  const { requests, breach, isOneStream, handshake } = options;
  /** Signals of earlier requests. One that comes again is that of the connection. */
  const seen = new WeakSet<AbortSignal>();
  return async (url, init) => {
    const given = init?.signal;
    const own = given && seen.has(given) ? new OwnSignal(given) : undefined;
    if (given) seen.add(given);
    let isStream = false;
    try {
      const response = await repeatedFetch(url, own ? { ...init, signal: own.signal } : init);
      const sent = sentIn(init);
      const { status, headers } = response;
      if (HANDSHAKE.has(sent.method)) handshake?.set(sent.method, { status, headers });
      const id = isOneStream ? undefined : sent.id;
      if (!response.ok || response.body === null || mediaType(response) !== EVENTS) {
        return await whole(response, id, options);
      }
      isStream = true;
      const events = filterEventStream(response.body, {
        requests,
        carrier: id,
        onExcess: (reason) => breach.abort(reason),
        ...(isOneStream && { onEnd: () => breach.abort('it ended its stream of events') }),
        onClose: () => own?.release(),
      });
      return withBody(response, events);
    } finally {
      if (!isStream) own?.release();
    }
  };
}

const EVENTS = 'text/event-stream';

function mediaType({ headers }: Response): string | undefined {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
}

async function whole(
  response: Response,
  id: string | number | undefined,
  options: BoundedFetchOptions,
): Promise<Response> {
  if (!response.ok) return shown(response, options.secrets, reasonInWords(response, Date.now()));
  if (id === undefined) return shown(response, options.secrets);
  if (mediaType(response) === 'application/json') return answerIn(response, id, options);
  // 202 is only for messages without an answer. With it, the sender of a request would wait for ever.
  const isEmpty = response.status === 202 || response.body === null;
  if (!isEmpty) return shown(response, options.secrets);
  await response.body?.cancel();
  const answer = errorAnswer(id, `it is HTTP ${response.status} without content`);
  const headers = { 'content-type': 'application/json' };
  return asJson([answer], new Response(null, { headers }));
}

/** A request as the SDK writes it: the method first, and a number as id last. Arguments may be long to parse. */
const QUICK = /^\{"method":"([\w/]+)".*,"id":(\d+)\}$/s;

/** The request or notification in a body. Neither for answers and methods other than POST. */
function sentIn(init: RequestInit | undefined): {
  readonly id?: string | number | undefined;
  readonly method?: unknown;
} {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return {};
  const [, quick, last] = QUICK.exec(init.body) ?? [];
  if (quick !== undefined) return { id: Number(last), method: quick };
  const { id, method } = ownProperties(JSON.parse(init.body));
  const isRequest = method !== undefined && (typeof id === 'string' || typeof id === 'number');
  return { method, id: isRequest ? id : undefined };
}

/**
 * Reads the answer to a request from a JSON body. Ends the connection if it exceeds the limits. The
 * response gives the SDK what was read, so that no body is parsed twice.
 */
async function answerIn(
  response: Response,
  id: string | number,
  { requests, breach }: BoundedFetchOptions,
): Promise<Response> {
  const { text, isWhole } = await readText(response, MAX_MESSAGE);
  const excess = isWhole ? excessOf(text) : tooLong();
  if (excess !== undefined) {
    breach.abort(excess);
    throw new Error(excess);
  }
  // `trim` also removes a byte order mark.
  const value = parsedJson(text.trim());
  if (value === undefined) return asJson([errorAnswer(id, 'it is not JSON')], response);
  const { messages } = requests.read(value, id);
  const isAnswered = messages.some((message) => 'id' in message && message.id === id);
  const others = isAnswered ? [] : [errorAnswer(id, 'it is not an answer to the request')];
  const standIns = messages.map((message) => requests.standIns.for({ message, carrier: id }));
  return asJson([...standIns, ...others], response);
}

/** The response with other messages. Only `json` of it is read, as the SDK does for this type. */
function asJson(messages: readonly JSONRPCMessage[], response: Response): Response {
  const [only, ...others] = messages;
  const value = others.length === 0 ? only : messages;
  return Object.defineProperty(response, 'json', { value: () => Promise.resolve(value) });
}

async function shown(
  response: Response,
  secrets: readonly string[],
  reason: string = response.statusText,
): Promise<Response> {
  const { text } = await readText(response, MAX_READ);
  return withBody(response, truncate(redact(text, secrets), MAX_SHOWN), redact(reason, secrets));
}

/** The body of a response up to a limit of bytes. */
export async function readText(
  response: Response,
  limit: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  // Much faster than reading pieces, where the size is known and stays as it is.
  const length = response.headers.get('content-length');
  const isPlain = response.headers.get('content-encoding') === null;
  if (isPlain && length !== null && Number(length) <= limit) {
    return { text: await response.text(), isWhole: true };
  }
  if (response.body === null) return { text: '', isWhole: true };
  const { bytes, isWhole } = await bytesUpTo(limit, response.body);
  return { text: Buffer.from(bytes.buffer).toString('utf8'), isWhole };
}

/** The response with another body. Keeps `url`, which readers use. */
export function withBody(
  response: Response,
  body: BodyInit,
  statusText: string = response.statusText,
): Response {
  const { status, headers, url } = response;
  const isNull = status === 204 || status === 205 || status === 304;
  // Servers may send what a response cannot be made with: another status, and no type.
  const init = { status: Math.min(status, 599), statusText, headers };
  const made = new Response(isNull ? null : body, init);
  if (!headers.has('content-type')) made.headers.delete('content-type');
  return Object.defineProperties(made, { url: { value: url }, status: { value: status } });
}

const REPEATABLE: ReadonlySet<unknown> = new Set([
  'initialize',
  'notifications/initialized',
  'ping',
  'server/discover',
  'tools/list',
]);

/** Codes of a connection that ended before there was an answer. */
const RESET: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * As `fetch`, but sends a request that changes nothing once more if the connection ended before there was
 * an answer. A server may close an idle connection at the moment in which it is used again.
 */
export async function repeatedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const code = error instanceof Error ? ownProperty(error.cause, 'code') : undefined;
    if (!RESET.has(code) || !REPEATABLE.has(sentIn(init).method)) throw error;
    return fetch(url, init);
  }
}

/**
 * The signal of one request. It fires with the signal of the connection, as long as the request runs.
 * `fetch` leaves a listener on each signal until the next garbage collection, which makes every further
 * listener of a signal with many requests slower.
 */
export class OwnSignal {
  readonly #own = new AbortController();
  readonly #shared: AbortSignal | undefined;
  readonly #abort = (): void => this.#own.abort(this.#shared?.reason);

  constructor(shared: AbortSignal | null | undefined) {
    this.#shared = shared ?? undefined;
    if (shared?.aborted) this.#abort();
    else shared?.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  /** Call this when the request has ended, with its body. */
  release(): void {
    this.#shared?.removeEventListener('abort', this.#abort);
  }
}
