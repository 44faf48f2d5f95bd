import { appendFileSync } from 'node:fs';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import { isRecord } from '../../tools/values/index.ts';
import { type WireProvider, wireProviderOf } from '../wire/index.ts';
import { readBody } from './request-body.ts';
import {
  bodyWithoutKeys,
  keysIn,
  publicUrl,
  withoutKeys,
  withoutLogins,
} from './request-secrets.ts';

/** One request to a model as it is recorded: what `auditPrefix` and `toolfold audit` read. */
export interface RecordedCall {
  readonly provider: WireProvider;
  /** Without user, password, query and whatever looks like a key. */
  readonly url: string;
  readonly body: Record<string, unknown>;
}

/** How requests are recorded. */
export interface RecordFetchOptions {
  /** What sends them; the global `fetch` if left out. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** For addresses that do not tell the format; found by the address if left out. */
  readonly provider?: WireProvider | undefined;
}

/**
 * A `fetch` for a provider of the AI SDK (`createAnthropic({ fetch })`) that records each request to
 * a model just before it is sent: as a line of JSON at the end of a file, or by a function. What is
 * sent and what comes back are not changed. Headers are never recorded, nor keys in the address.
 * Other requests, and those aborted before they are sent, are passed on unrecorded. Throws
 * `invalid-option` for a file that cannot be written; a function that throws fails the request.
 */
export function recordFetch(
  to: string | URL | ((call: RecordedCall) => void),
  { fetch, provider }: RecordFetchOptions = {},
): typeof globalThis.fetch {
  const record = typeof to === 'function' ? to : lineWriter(to);
  return async (input, init) => {
    const send = fetch ?? globalThis.fetch;
    // A text is there at once: requests are recorded in the order in which they are made.
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
  const keys = keysIn(new Headers(init?.headers ?? request?.headers));
  const url = withoutKeys(publicUrl(address), keys);
  return { provider, url, body: bodyWithoutKeys(withoutLogins(body), keys) };
}

function parsed(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return;
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) ? body : undefined;
  } catch {
    // Not a request to a model: these are JSON.
    return;
  }
}

/** Each line is appended in one write: others may write to the same file. */
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
  // Said at once, not at the first request.
  write('');
  return (call) => write(`${JSON.stringify(call)}\n`);
}
