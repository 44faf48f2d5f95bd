import { isRecord } from '../../tools/values/index.ts';
import { isSecretHeader, recordsOf } from '../../wire/index.ts';

const REDACTED = '[redacted]';

/** Shorter header values are not treated as keys. */
const MIN_KEY = 8;
/** In texts the limit is higher: shorter values may be ordinary words, and removing them would change the text. */
const MIN_KEY_IN_TEXT = 16;

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

/** The credentials in a request's headers. They are removed from the address and body too. */
export function keysIn(headers: Headers): string[] {
  const values = [...headers].flatMap(([name, value]) => (isSecretHeader(name) ? [value] : []));
  const words = values.flatMap((value) => [value, ...value.split(/\s+/)]);
  return words.filter((word) => word.length >= MIN_KEY).sort((a, b) => b.length - a.length);
}

/** The address without the keys. */
export function withoutKeys(url: string, keys: readonly string[]): string {
  return keys.reduce((rest, key) => rest.replaceAll(key, REDACTED), url);
}

/** The body without the keys in its texts. Field names are kept. */
export function bodyWithoutKeys(
  body: Record<string, unknown>,
  keys: readonly string[],
): Record<string, unknown> {
  const long = keys.filter((key) => key.length >= MIN_KEY_IN_TEXT);
  const clean = (_name: string, value: unknown) =>
    typeof value === 'string' ? withoutKeys(value, long) : value;
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
