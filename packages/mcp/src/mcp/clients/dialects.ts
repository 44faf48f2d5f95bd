// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
import {
  isRecord,
  type JsonObject,
  type JsonValue,
  mapTexts,
  ownProperty,
} from '@toolfold/core/internal/tools/values';
import { codexEntry } from './codex.ts';
import { opencodeEntry } from './opencode.ts';
import { continueEntry, gooseEntry } from './yaml-clients.ts';

/** The entry with the keys and variables that all clients share. Keys that it does not translate stay. */
type Dialect = (entry: JsonObject) => JsonObject;

/** The times of an entry, of clients that write one number for a call. */
function timeout(unit: 'ms' | 's', as: 'callSeconds' | 'startSeconds' = 'callSeconds'): Dialect {
  return ({ timeout, ...entry }) => {
    if (timeout === undefined) return entry;
    if (typeof timeout !== 'number') return { ...entry, timeout };
    return { [as]: unit === 'ms' ? timeout / 1000 : timeout, ...entry };
  };
}

/** Older settings of Zed: { "command": { "path", "args", "env" } }. */
const zed: Dialect = (entry) => {
  const { command } = entry;
  if (!isRecord(command)) return entry;
  const { path = null, ...rest } = command as JsonObject;
  return { ...entry, ...rest, command: path };
};

/** `$NAME` is a variable, and a `url` that ends so is the older kind of server. `httpUrl` goes before `url`. */
const gemini: Dialect = (entry) => {
  const { url, ...rest } = mapTexts(entry, (text) =>
    text.replace(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${${name}}`),
  ) as JsonObject;
  if (url === undefined || rest.httpUrl !== undefined) return rest;
  const isOlder = rest.type === undefined && /\/sse\/?$/.test(String(url));
  return { ...rest, url, ...(isOlder && { type: 'sse' }) };
};

/** A url without a type means the older kind of server. */
const cline: Dialect = (entry) =>
  entry.url !== undefined && entry.type === undefined && entry.transportType === undefined
    ? { ...entry, type: 'sse' }
    : entry;

/** The login of an entry in the words of Toolfold. */
const claude: Dialect = ({ oauth, ...entry }) => {
  if (!isRecord(oauth)) return oauth === undefined ? entry : { ...entry, oauth };
  const { callbackPort, scopes, ...rest } = oauth as JsonObject;
  const listed = typeof scopes === 'string' ? scopes.split(/\s+/).filter(Boolean) : scopes;
  return {
    ...entry,
    oauth: {
      ...(callbackPort === undefined ? {} : { redirectPort: callbackPort }),
      ...rest,
      ...(listed === undefined ? {} : { scopes: listed }),
    },
  };
};

const DIALECTS: Readonly<Record<string, readonly Dialect[]>> = {
  'claude-code': [claude, timeout('ms')],
  'gemini-cli': [gemini, timeout('ms')],
  cline: [cline, timeout('s')],
  zed: [zed],
  codex: [codexEntry],
  opencode: [opencodeEntry, timeout('ms', 'startSeconds')],
  goose: [gooseEntry, timeout('s')],
  continue: [continueEntry],
};

/** The entry of a client with the keys and variables that all clients share. */
export function translated(client: string, entry: JsonObject): JsonObject {
  const own = (DIALECTS[client] ?? []).reduce((before, dialect) => dialect(before), entry);
  const { type } = own;
  if (typeof type !== 'string') return own;
  const { type: _, ...rest } = own;
  const kind = type.toLowerCase();
  if (kind === 'stdio' || kind === 'local' || kind === 'remote') return rest;
  return {
    ...rest,
    type: kind !== 'http' && /^(?:streamable-?_?http|http-stream)/.test(kind) ? 'http' : type,
  };
}

/** Why an entry is not for other programs; undefined if it is. */
export function foreignReason(entry: JsonValue): string | undefined {
  const isExtension = ownProperty(entry, 'source') === 'extension';
  if (isExtension && ownProperty(entry, 'command') === undefined)
    return 'an extension of the client starts it';
  return;
}
