import { appendFileSync } from 'node:fs';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import {
  checkKnown,
  isRecord,
  type KnownOptions,
  parsedJson,
} from '@toolfold/core/internal/values';
import { isSecretHeader, recordsOf, type WireProvider, wireProviderOf } from '../wire/index.ts';

/** A recorded request to a model. `auditPrefix` and `toolfold audit` read it. */
export interface RecordedCall {
  readonly provider: WireProvider;
  /** The address without user, password, query and parts that look like keys. */
  readonly url: string;
  readonly body: Record<string, unknown>;
}

/** Options of `recordFetch`. */
export interface RecordFetchOptions {
  /** Sends the requests. The global `fetch` if left out. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The provider, for addresses that do not show the format. Derived from the address if left out. */
  readonly provider?: WireProvider | undefined;
}

/**
 * Creates a `fetch` for a provider of the AI SDK (`createAnthropic({ fetch })`) that records each
 * request to a model just before it is sent: it appends a line of JSON to a file, or calls a function.
 * Requests and responses are not changed. Headers and keys in the address are never recorded. Other
 * requests, and those aborted before they are sent, are sent without a record. Throws
 * `invalid-option` if the file cannot be written. If the function throws, the request fails.
 */
export function recordFetch(
  to: string | URL | ((call: RecordedCall) => void),
  options: RecordFetchOptions = {},
): typeof globalThis.fetch {
  const known: KnownOptions<RecordFetchOptions> = { fetch: true, provider: true };
  checkKnown('recordFetch()', options, known);
  const { fetch, provider } = options;
  const record = typeof to === 'function' ? to : lineWriter(to);
  return async (input, init) => {
    const send = fetch ?? globalThis.fetch;
    // A string body needs no await, so requests are recorded in the order of the calls.
    const read =
      typeof init?.body === 'string' ? { text: init.body, init } : await readBody([input, init]);
    const call = recordedCall(input, init, read.text, provider);
    const { aborted } =
      init?.signal ?? (input instanceof Request ? input.signal : { aborted: false });
    if (call && !aborted) record(call);
    return send(input, read.init);
  };
}

function recordedCall(
  input: string | URL | Request,
  init: RequestInit | undefined,
  text: string | undefined,
  given: WireProvider | undefined,
): RecordedCall | undefined {
  const body = parsed(text);
  if (body === undefined) return;
  const request = input instanceof Request ? input : undefined;
  const address = request?.url ?? String(input);
  const provider = given ?? wireProviderOf(address, body);
  if (provider === undefined) return;
  const keys = keysIn(new Headers(init?.headers ?? request?.headers), address);
  const url = withoutKeys(publicUrl(address), keys);
  return { provider, url, body: bodyWithoutKeys(withoutLogins(body), keys) };
}

function parsed(text: string | undefined): Record<string, unknown> | undefined {
  const body = text === undefined ? undefined : parsedJson(text);
  // Requests to models are JSON objects. Another body is that of another request.
  return isRecord(body) ? body : undefined;
}

/** Appends each line in one write, because other processes may write to the same file. */
function lineWriter(file: string | URL): (call: RecordedCall) => void {
  const write = (text: string): void => {
    try {
      appendFileSync(file, text, { mode: 0o600 });
    } catch (error) {
      throw new ToolfoldError(
        'invalid-option',
        `Requests cannot be recorded in ${file}: ${errorMessage(error)}.`,
        'Name a file that can be written.',
        error,
      );
    }
  };
  // Fails now instead of at the first request.
  write('');
  return (call) => write(`${JSON.stringify(call)}\n`);
}

/** The body of a request as text, and the arguments for `fetch` that replace the ones read. */
interface ReadBody {
  /** `undefined` if there is no body, if it cannot be read, or if the request was aborted. */
  readonly text: string | undefined;
  readonly init: RequestInit | undefined;
}

type FetchArguments = readonly [input: string | URL | Request, init: RequestInit | undefined];

/** Reads the body from the arguments of `fetch`, and keeps the request sendable. Never throws. */
async function readBody([input, init]: FetchArguments): Promise<ReadBody> {
  const request = input instanceof Request ? input : undefined;
  const signal = init?.signal ?? request?.signal;
  const body = init?.body;
  if (body instanceof ReadableStream) {
    if (body.locked) return { text: undefined, init };
    const [own, sent] = body.tee();
    return { text: await textOf(own, signal), init: { ...init, body: sent } };
  }
  if (body !== undefined && body !== null) {
    // Bytes, files and forms can be read more than once.
    const isLasting = body instanceof Blob || body instanceof FormData || isBytes(body);
    const stream = isLasting ? new Response(body).body : null;
    return { text: stream ? await textOf(stream, signal) : undefined, init };
  }
  if (!request?.body || request.bodyUsed) return { text: undefined, init };
  const own = request.clone().body;
  return { text: own ? await textOf(own, signal) : undefined, init };
}

function isBytes(body: unknown): boolean {
  return body instanceof ArrayBuffer || ArrayBuffer.isView(body);
}

/** The rest of a stream as text; `undefined` if the stream fails. */
async function textOf(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal | null | undefined,
): Promise<string | undefined> {
  const reader = stream.getReader();
  const stop = (): void => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
    return signal?.aborted ? undefined : text + decoder.decode();
  } catch {
    // `fetch` reads the same stream and fails with the same error.
    return undefined;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

const REDACTED = '[redacted]';

/** Shorter values are not treated as keys. */
const MIN_KEY = 8;

/** The address without user, password, query, fragment, and parts of the path that look like keys. */
function publicUrl(url: string): string {
  const parsed = URL.parse(url, 'http://localhost');
  if (!parsed) return '';
  const path = parsed.pathname.split('/').map((part) => (looksLikeKey(part) ? REDACTED : part));
  const origin = URL.canParse(url) ? parsed.origin : '';
  return `${origin}${path.join('/')}`;
}

/** The body without credentials of MCP servers, which some providers call themselves. */
function withoutLogins(body: Record<string, unknown>): Record<string, unknown> {
  const servers = Array.isArray(body.mcp_servers)
    ? { mcp_servers: body.mcp_servers.map(hidden) }
    : {};
  const isOfServer = (tool: unknown) => isRecord(tool) && tool.type === 'mcp';
  const tools = recordsOf(body.tools).some(isOfServer)
    ? { tools: (body.tools as unknown[]).map((tool) => (isOfServer(tool) ? hidden(tool) : tool)) }
    : {};
  return { ...body, ...servers, ...tools };
}

/**
 * The credentials in a request's headers and address, and the user's password in those of Basic. They are removed from
 * the address and the body, also where they are escaped as in a URL, and in base64.
 */
function keysIn(headers: Headers, address: string): string[] {
  const values = [...headers].flatMap(([name, value]) => (isSecretHeader(name) ? [value] : []));
  const words = values.flatMap((value) => [value, ...value.split(/[\s;,]+/), ...passwordIn(value)]);
  const cookies = (headers.get('cookie') ?? '')
    .split(/;\s*/)
    .map((one) => one.replace(/^[^=]*=/, ''));
  const keys = [...words, ...cookies, ...keysOfAddress(address)].filter(
    (word) => word.length >= MIN_KEY,
  );
  const forms = keys.flatMap((key) => {
    const base64 = Buffer.from(key).toString('base64').replace(/=+$/, '');
    const url = base64.replaceAll('+', '-').replaceAll('/', '_');
    return [key, encodeURIComponent(key.toWellFormed()), base64, url];
  });
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** Parameters whose value is a credential. */
const SECRET_PARAMETER = /key|token|secret|password|sig|auth|credential/i;

/** The credentials in an address: of the user, in its query, and parts of the path that look like keys. */
function keysOfAddress(address: string): string[] {
  const parsed = URL.parse(address, 'http://localhost');
  if (!parsed) return [];
  const { username, password, searchParams, pathname } = parsed;
  const query = [...searchParams].flatMap(([name, value]) =>
    SECRET_PARAMETER.test(name) || looksLikeKey(value) ? [value] : [],
  );
  const path = pathname.split('/').filter(looksLikeKey);
  return [username, password].map(decoded).concat(query, path);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The password of `Basic` credentials (RFC 7617): what stands behind the first colon. */
function passwordIn(value: string): string[] {
  const encoded = /^basic\s+(\S+)$/i.exec(value.trim())?.[1];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const at = text.indexOf(':');
  return at < 0 ? [] : [text.slice(at + 1)];
}

/** The text without the keys. */
function withoutKeys(text: string, keys: readonly string[]): string {
  return keys.reduce((rest, key) => rest.replaceAll(key, REDACTED), text);
}

/** The body without the keys, in texts and in names of fields. */
function bodyWithoutKeys(
  body: Record<string, unknown>,
  keys: readonly string[],
): Record<string, unknown> {
  if (keys.length === 0) return JSON.parse(JSON.stringify(body));
  const clean = (_name: string, value: unknown) => {
    if (typeof value === 'string') return withoutKeys(value, keys);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [withoutKeys(name, keys), member]),
    );
  };
  return JSON.parse(JSON.stringify(body, clean));
}

function hidden(server: unknown): unknown {
  if (!isRecord(server)) return server;
  return Object.fromEntries(
    Object.entries(server).map(([name, value]) => {
      if (name === 'headers' || isSecretHeader(name)) return [name, REDACTED];
      const isUrl = typeof value === 'string' && /url$/i.test(name);
      return [name, isUrl ? publicUrl(value) : value];
    }),
  );
}

/** Whether a text has a known key prefix, or is long with mixed letters and digits. */
function looksLikeKey(part: string): boolean {
  if (/^(sk|gsk|xai)[-_][-\w]{6,}$|^AIza[-\w]{12,}$/.test(part)) return true;
  return (
    /^[\w-]{32,}$/.test(part) && /\d/.test(part) && /[a-z]/i.test(part) && !part.includes('--')
  );
}
