import { isRecord, ownProperty, parsedJson, truncate } from '@toolfold/core/internal/tools/values';
import { readText, rootMessage, withBody } from '../transport/index.ts';
import { AddressCheck } from './address-check.ts';
import type { KnownSecrets, LoginContext } from './login-context.ts';

/** Milliseconds for one request to an authorization server, with its answer. */
const REQUEST_TIMEOUT = 20_000;

/** Maximum bytes of an answer. Metadata and tokens have a few thousand. */
const MAX_BODY = 1024 * 1024;

const MAX_ERROR = 1000;

/** Maximum redirects of one request. */
const MAX_REDIRECTS = 5;

const OF_ANSWERS = [
  ...['access_token', 'refresh_token', 'id_token'],
  ...['client_secret', 'registration_access_token'],
];
const OF_REQUESTS = [
  ...['refresh_token', 'client_secret', 'client_assertion'],
  ...['code', 'code_verifier', 'token'],
];

/**
 * Creates a `fetch` for requests to authorization servers. It bounds the time and the answer, removes
 * secrets from errors, sends the headers of the entry only to the server's own origin, and goes only where
 * `AddressCheck` allows, also after a redirect.
 * `throwsRefusals`: a refused request for a token is an error here. The SDK's `auth` repeats such a
 * request, and writes to the console about it.
 */
export function authorizationFetch(
  context: Pick<LoginContext, 'entry' | 'secrets' | 'signal' | 'requestTimeout'>,
  throwsRefusals: boolean,
): typeof fetch {
  const { entry, secrets, requestTimeout: timeout = REQUEST_TIMEOUT } = context;
  const { origin } = new URL(entry.url);
  const check = new AddressCheck(entry.url);
  return async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input);
    const isForm = init?.body instanceof URLSearchParams;
    if (isForm) secrets.add(OF_REQUESTS.map((name) => (init.body as URLSearchParams).get(name)));
    const headersFor = (target: URL): Headers => {
      const headers = new Headers(target.origin === origin && !isForm ? [...entry.headers] : []);
      for (const [name, value] of new Headers(init?.headers)) headers.set(name, value);
      secrets.add([headers.get('authorization')?.replace(/^\w+ /, '')]);
      return headers;
    };
    const limit = AbortSignal.timeout(Math.ceil(timeout));
    const signals = [limit, init?.signal, context.signal];
    const signal = AbortSignal.any(signals.filter((each) => each instanceof AbortSignal));
    try {
      const response = await followed(address, check, init?.body != null, (target) =>
        fetch(target, { ...init, headers: headersFor(target), signal, redirect: 'manual' }),
      );
      const { text, isWhole } = await readText(response, MAX_BODY);
      if (!isWhole)
        throw new Error(`${address.origin} sent more than ${MAX_BODY / 1024 / 1024} MB`);
      if (throwsRefusals && isForm && !response.ok) throw refusal(response, text);
      return answer(response, text, secrets, isForm);
    } catch (error) {
      context.signal?.throwIfAborted();
      const late = `it did not answer within ${timeout / 1000} s`;
      const reason = limit.aborted ? late : rootMessage(error);
      throw new Error(secrets.hide(`the request to ${address.origin} failed: ${reason}`));
    }
  };
}

/** The answer of an address, or of the one to which it redirects. Each is checked before it is asked. */
async function followed(
  address: URL,
  check: AddressCheck,
  hasBody: boolean,
  send: (target: URL) => Promise<Response>,
): Promise<Response> {
  let target = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    await check.allow(target);
    const response = await send(target);
    const isRedirect = response.status >= 300 && response.status < 400;
    const next = isRedirect ? response.headers.get('location') : null;
    if (next === null) return response;
    await response.body?.cancel();
    // Tokens and secrets go only where the metadata says.
    if (hasBody) throw new Error(`it redirects to ${new URL(next, target).origin}`);
    target = new URL(next, target);
  }
  throw new Error(`it redirects more than ${MAX_REDIRECTS} times`);
}

/** The response with a body that was checked. `isForm`: the answer to a request for tokens. */
function answer(
  response: Response,
  text: string,
  secrets: KnownSecrets,
  isForm: boolean,
): Response {
  const { ok } = response;
  const value = parsedJson(text);
  if (isRecord(value)) secrets.add(OF_ANSWERS.map((name) => value[name]));
  // The SDK's error for text that is not JSON would show the beginning of the text.
  else if (ok && isForm && text !== '') throw new Error('its answer is not a JSON object');
  return withBody(response, ok ? text : truncate(secrets.hide(text), MAX_ERROR));
}

/** The error of a refused request for a token (RFC 6749, section 5.2). */
function refusal({ status }: Response, text: string): Error {
  const value = parsedJson(text);
  const members = ['error', 'error_description'].map((name) => ownProperty(value, name));
  const parts = members.filter((part) => typeof part === 'string');
  return new Error(truncate([`HTTP ${status}`, ...parts].join(', '), MAX_ERROR));
}
