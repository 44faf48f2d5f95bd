import { isRecord } from '@toolfold/core/internal/tools/values';
import { isSecretHeader, recordsOf } from '../../wire/index.ts';

const REDACTED = '[redacted]';

/** Shorter values are not treated as keys. */
const MIN_KEY = 8;

/** The address without user, password, query, fragment, and parts of the path that look like keys. */
export function publicUrl(url: string): string {
  const parsed = URL.parse(url, 'http://localhost');
  if (!parsed) return '';
  const path = parsed.pathname.split('/').map((part) => (looksLikeKey(part) ? REDACTED : part));
  const origin = URL.canParse(url) ? parsed.origin : '';
  return `${origin}${path.join('/')}`;
}

/** The body without credentials of MCP servers, which some providers call themselves. */
export function withoutLogins(body: Record<string, unknown>): Record<string, unknown> {
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
export function keysIn(headers: Headers, address: string): string[] {
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
export function withoutKeys(text: string, keys: readonly string[]): string {
  return keys.reduce((rest, key) => rest.replaceAll(key, REDACTED), text);
}

/** The body without the keys, in texts and in names of fields. */
export function bodyWithoutKeys(
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
