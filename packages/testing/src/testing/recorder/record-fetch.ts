import { appendFileSync } from 'node:fs';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { checkKnown, type KnownOptions } from '@toolfold/core/internal/tools/names';
import { isRecord, parsedJson } from '@toolfold/core/internal/tools/values';
import { type WireProvider, wireProviderOf } from '../../wire/index.ts';
import { readBody } from './request-body.ts';
import {
  bodyWithoutKeys,
  keysIn,
  publicUrl,
  withoutKeys,
  withoutLogins,
} from './request-secrets.ts';

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
