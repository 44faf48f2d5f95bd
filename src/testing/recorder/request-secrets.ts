import { isRecord } from '../../tools/values/index.ts';
import { isSecretHeader, recordsOf } from '../wire/index.ts';

const REDACTED = '[redacted]';

/** Shorter values of headers are no keys. */
const MIN_KEY = 8;
/** In a text shorter ones may be words, and taking them out would change what it says. */
const MIN_KEY_IN_TEXT = 16;

/** The address without user, password, query and fragment; parts of the path that look like keys are taken out. */
export function publicUrl(url: string): string {
  const parsed = URL.parse(url, 'http://localhost');
  if (!parsed) return '';
  const path = parsed.pathname.split('/').map((part) => (looksLikeKey(part) ? REDACTED : part));
  const origin = URL.canParse(url) ? parsed.origin : '';
  return `${origin}${path.join('/')}`;
}

/** The body without what it is to log in with at MCP servers: providers call these by themselves. */
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

/** What a request's headers log in with: taken out wherever else it stands. */
export function keysIn(headers: Headers): string[] {
  const values = [...headers].flatMap(([name, value]) => (isSecretHeader(name) ? [value] : []));
  const words = values.flatMap((value) => [value, ...value.split(/\s+/)]);
  return words.filter((word) => word.length >= MIN_KEY).sort((a, b) => b.length - a.length);
}

/** The address without the keys. */
export function withoutKeys(url: string, keys: readonly string[]): string {
  return keys.reduce((rest, key) => rest.replaceAll(key, REDACTED), url);
}

/** The body with the keys taken out of its texts; names of fields stay. */
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

/** Prefixed as providers prefix keys, or long, with letters and digits mixed. */
function looksLikeKey(part: string): boolean {
  if (/^(sk|gsk|xai)[-_][-\w]{6,}$|^AIza[-\w]{12,}$/.test(part)) return true;
  return (
    /^[\w-]{32,}$/.test(part) && /\d/.test(part) && /[a-z]/i.test(part) && !part.includes('--')
  );
}
