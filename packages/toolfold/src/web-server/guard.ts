import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { readPrivate, userFolder, writePrivate } from '@toolfold/config/internal/files';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { Context, MiddlewareHandler } from 'hono';
import { Refusal } from './requests.ts';

/** Names of this computer by which the page may be reached. Any port: an SSH forward has its own. */
const HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** What the page may load: its own files. `svelte-trusted-html` is the one policy that Svelte makes for its templates. */
const CSP = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "connect-src 'self'"],
  "img-src 'self' data: blob:",
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ...["require-trusted-types-for 'script'", 'trusted-types svelte-trusted-html'],
].join('; ');

/** The headers of each answer. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CSP,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Sets the headers, and refuses what another site has caused. Throws a `Refusal`. */
export const guard: MiddlewareHandler<{ Bindings: HttpBindings }> = async (context, next) => {
  for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
  checkOrigin(context);
  await next();
};

/** A request to a proxy: its target names a host of its own. */
const ABSOLUTE = /^[a-z][a-z\d+.-]*:/i;

function checkOrigin({ req, env }: Context<{ Bindings: HttpBindings }>): void {
  if (ABSOLUTE.test(env.incoming.url ?? '')) throw foreign('This server is no proxy.');
  const host = req.header('host') ?? '';
  // A name that leads here by DNS rebinding is another one.
  if (!HOST.test(host))
    throw foreign(`This server does not answer for the host "${host.slice(0, 100)}".`);
  const origin = req.header('origin');
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    throw foreign('Another page has sent this request.');
  const site = req.header('sec-fetch-site') ?? 'none';
  // A link may lead to the page itself.
  const isLink = req.path === '/' && req.header('sec-fetch-mode') === 'navigate';
  if (site !== 'none' && site !== 'same-origin' && !isLink)
    throw foreign('Another page has sent this request.');
}

function foreign(message: string): Refusal {
  const hint = 'Open the address that toolfold web has printed, in a new tab.';
  return new Refusal('foreign', message, hint, 403);
}

/** Lets only requests with the token through. */
export function withToken(token: string): MiddlewareHandler {
  return async (context, next) => {
    context.header('cache-control', 'no-store');
    const [scheme, given = ''] = (context.req.header('authorization') ?? '').split(' ', 2);
    if (scheme?.toLowerCase() !== 'bearer' || !isSame(given, token)) throw noToken();
    await next();
  };
}

function noToken(): Refusal {
  const hint = 'Open the address that toolfold web prints: it ends with the token.';
  return new Refusal('no-token', 'This request has no valid token.', hint, 401);
}

/** In a time that does not depend on where they differ. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

const BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
/** Fewest different characters of a token. One that was drawn by chance has about 31. */
const MIN_DIFFERENT = 16;
/** The bits of a mode by which other users may read or write. */
const OTHERS = 0o077;

/** The file of the token: that of all servers of this user, so that an open tab outlives its server. */
function tokenFile(): string {
  return join(userFolder('data'), 'web-token');
}

/** The token of this user. Undefined if there is none that only this user knows. Rejects with `invalid-config`. */
export async function knownToken(file: string = tokenFile()): Promise<string | undefined> {
  let token: string | undefined;
  try {
    token = (await readPrivate(file))?.trim();
    if (token === undefined || !TOKEN.test(token) || new Set(token).size < MIN_DIFFERENT) return;
    // Windows has no such bits.
    if (process.platform !== 'win32' && (await lstat(file)).mode & OTHERS) return;
  } catch (error) {
    throw new ToolfoldError(
      'invalid-config',
      `The file of the token, ${file}, cannot be read: ${errorMessage(error)}.`,
      'Remove it: toolfold web writes a new one.',
    );
  }
  return token;
}

/** The token of this user. It is made and kept if there is none. */
export async function userToken(file: string = tokenFile()): Promise<string> {
  const known = await knownToken(file);
  if (known !== undefined) return known;
  await writePrivate(file, `${newToken()}\n`);
  // Another server may have written its own.
  return (await knownToken(file)) ?? newToken();
}

export function newToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** Shows that the one who answers on this port knows the token, without saying it. */
export function proofOf(token: string, port: number, nonce: string): string {
  return createHmac('sha256', token).update(`${port}:${nonce}`).digest('base64url');
}
