import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Who may use the gateway over HTTP. */
export interface Access {
  /** The address that the gateway listens on. */
  readonly host: string;
  /** The token that each request must have; `undefined` if none is needed. */
  readonly token: string | undefined;
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Whether only programs of this machine reach an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Why a request may not be answered; `undefined` if it may. */
export function refusalOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  access: Access,
): Refusal | undefined {
  const { host = '', origin } = headers;
  const name = nameOf(`http://${host}`);
  // A page that a browser shows can name this machine as its own host.
  if (name === undefined || !isOwnHost(name, access))
    return { status: 403, message: 'The Host header names another host.' };
  if (origin !== undefined && !isAllowedOrigin(origin, name))
    return { status: 403, message: 'The Origin header names another site.' };
  if (access.token === undefined || hasToken(headers.authorization, access.token)) return;
  return { status: 401, message: 'The bearer token is missing or wrong.' };
}

function isOwnHost(name: string, { host, token }: Access): boolean {
  if (isLoopback(name) || name === host) return true;
  // Such a page does not have the token. The machine may have any name for others.
  return token !== undefined && !isLoopback(host);
}

function isAllowedOrigin(origin: string, host: string): boolean {
  const name = nameOf(origin);
  return name !== undefined && (isLoopback(name) || name === host);
}

function nameOf(url: string): string | undefined {
  return URL.parse(url)?.hostname || undefined;
}

function hasToken(given: string | undefined, token: string): boolean {
  const [, text = ''] = /^Bearer (.+)$/i.exec(given ?? '') ?? [];
  return timingSafeEqual(digest(text), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The address as a URL writes it. */
export function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
