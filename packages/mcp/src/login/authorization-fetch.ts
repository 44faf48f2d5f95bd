import { isRecord, ownProperty, parsedJson, truncate } from '@toolfold/core/internal/values';
import { readText, rootMessage, withBody } from '../transport/index.ts';
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

/** Finds the IP addresses of a host name. Rejects if there are none. */
type Resolve = (host: string) => Promise<readonly string[]>;

/** Networks of this computer, of a private network or of no single host (RFC 6890). */
const INSIDE: readonly (readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 9, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

/** Names of hosts that are never public. */
const LOCAL_NAME = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/;

/**
 * Checks the addresses to which the metadata of a server leads. A public server must not lead to this computer
 * or to its network: a request there could do what the server cannot. `resolve`: for tests.
 */
export class AddressCheck {
  readonly #server: URL;
  readonly #resolve: Resolve;

  constructor(serverUrl: string, resolve: Resolve = systemAddresses) {
    this.#server = new URL(serverUrl);
    this.#resolve = resolve;
  }

  /** Rejects if the server must not lead there. */
  async allow(target: URL): Promise<void> {
    if (target.origin === this.#server.origin || isInsideByName(this.#server)) return;
    // Without TLS, a name could get another IP address after this check. With it, another host has no certificate.
    if (target.protocol !== 'https:')
      throw new Error(`the server leads to ${target.origin}, which is no https address`);
    if (!(await this.#leadsInside(target)) || (await this.#isInside())) return;
    throw new Error(
      `the server is public and leads to ${target.origin}, an address of this computer or of a private network`,
    );
  }

  async #leadsInside(target: URL): Promise<boolean> {
    if (isInsideByName(target)) return true;
    const addresses = await this.#resolve(target.hostname).catch(() => []);
    return addresses.some(isInside);
  }

  /** Whether the server itself is in a private network. */
  async #isInside(): Promise<boolean> {
    const addresses = await this.#resolve(this.#server.hostname).catch(() => []);
    return addresses.length > 0 && addresses.every(isInside);
  }
}

/** Whether the host of an address says that it is not public. `URL` writes every form of an IP address in one way. */
function isInsideByName({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const { isIP } = process.getBuiltinModule('node:net');
  return isIP(host) === 0 ? LOCAL_NAME.test(host) : isInside(host);
}

/** Whether an IP address is of this computer or of a private network. */
export function isInside(address: string): boolean {
  const { BlockList, isIPv4, isIPv6 } = process.getBuiltinModule('node:net');
  const inside = new BlockList();
  for (const network of INSIDE) inside.addSubnet(...network);
  if (isIPv4(address)) return inside.check(address, 'ipv4');
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return true;
  // An IPv4 address that is written as IPv6 is checked by `BlockList` itself.
  if (inside.check(bare, 'ipv6')) return true;
  const embedded = embeddedAddress(bare);
  return embedded !== undefined && inside.check(embedded, 'ipv4');
}

/** The IPv4 address in an address of NAT64 (RFC 6052), of 6to4 (RFC 3056), or in one "compatible" with IPv4. */
function embeddedAddress(address: string): string | undefined {
  const { hostname } = new URL(`http://[${address}]`);
  const [before = '', after = ''] = hostname.slice(1, -1).split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [head, tail] = [groups(before), groups(after)];
  const zeros = new Array<number>(8 - head.length - tail.length).fill(0);
  const all = [...head, ...zeros, ...tail];
  const isAfter = (prefix: readonly number[]): boolean =>
    prefix.every((group, at) => all[at] === group);
  if (isAfter([0x2002])) return dotted(all[1], all[2]);
  const isNat64 = isAfter([0x64, 0xff9b, 0, 0, 0, 0]) || isAfter([0x64, 0xff9b, 1]);
  return isNat64 || isAfter([0, 0, 0, 0, 0, 0]) ? dotted(all[6], all[7]) : undefined;
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  const found = await process.getBuiltinModule('node:dns/promises').lookup(host, { all: true });
  return found.map(({ address }) => address);
}
