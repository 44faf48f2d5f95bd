// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
import { aKind, JsonSource } from '@toolfold/config/internal/json-source.ts';
import { quote } from '@toolfold/config/internal/quote.ts';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { editsBetween } from '@toolfold/core/internal/near-names.ts';
import {
  isRecord,
  type JsonObject,
  type JsonValue,
  mapTexts,
  ownProperty,
} from '@toolfold/core/internal/values';
import type { ClientPlace } from './places.ts';

const KNOWN_KEYS = ['mcpServers', 'servers', 'inputs', 'toolfold'];

/** Reads the text of a client's file. Throws `invalid-config` with the position of a mistake, as far as it is known. */
export async function clientSource(
  { file, format }: ClientPlace,
  text: string,
): Promise<JsonSource> {
  const own = async (servers: (root: JsonValue) => unknown, root: Promise<JsonValue>) =>
    new JsonSource(file, JSON.stringify(await ownRoot(servers, root)), { isTranslated: true });
  if (format === 'codex')
    return own((root) => ownProperty(root, 'mcp_servers'), tomlValue(file, text));
  if (format === 'goose') return own(gooseServers, yamlValue(file, text));
  if (format === 'continue') return own(continueServers, yamlValue(file, text));
  return new JsonSource(file, text);
}

/** A file in YAML or TOML as JSON: its servers, and its `toolfold` block. */
async function ownRoot(
  servers: (root: JsonValue) => unknown,
  read: Promise<JsonValue>,
): Promise<object> {
  const root = await read;
  const block = Object.entries(isRecord(root) ? root : {}).filter(
    ([key]) => editsBetween(skeleton(key), 'toolfold', 1) <= 1,
  );
  return { mcpServers: servers(root) ?? {}, ...Object.fromEntries(block) };
}

/** The members of a file. Throws if it is no object, and if a key is misspelt. */
export function rootMembers(source: JsonSource): ReturnType<JsonSource['members']> {
  if (source.root.type !== 'object') {
    throw source.error(
      source.root,
      `The file holds ${aKind(source.root.type)}.`,
      'Expected an object with "mcpServers", "servers" or "toolfold".',
    );
  }
  const members = source.members(source.root);
  // Its restrictions would be lost, beside whatever it stands.
  for (const [name, { key }] of members)
    if (name !== 'toolfold' && editsBetween(skeleton(name), 'toolfold', 1) <= 1)
      throw source.error(key, `Unknown key ${quote(name)}.`, 'Did you mean "toolfold"?');
  // A client's settings file without servers is valid, a misspelt key is not. Only these close
  // spellings count, because such files have other keys like `mcp` and `enabledMcpServers`.
  if (KNOWN_KEYS.some((known) => members.has(known))) return members;
  for (const [name, { key }] of members) {
    const near = KNOWN_KEYS.find((known) => skeleton(known) === skeleton(name));
    if (near === undefined) continue;
    throw source.error(key, `Unknown key ${quote(name)}.`, `Did you mean "${near}"?`);
  }
  return members;
}

function skeleton(key: string): string {
  return key.toLowerCase().replace(/[^a-z]|s$/g, '');
}

/** The value of a TOML text as JSON. Throws `invalid-config` with the position of a mistake, and never shows a line. */
async function tomlValue(file: string, text: string): Promise<JsonValue> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    // Dates become texts.
    return JSON.parse(JSON.stringify(parse(text)));
  } catch (error) {
    const place = error instanceof TomlError ? `:${error.line}:${error.column}` : '';
    throw new ToolfoldError('invalid-config', `${file}${place}: It is not TOML.`, 'Correct it.');
  }
}

/** An entry of Codex with the keys that Toolfold reads. Others stay. */
function codexEntry(entry: JsonObject): JsonObject {
  const {
    env_vars: passed,
    bearer_token_env_var: bearer,
    http_headers: fixed,
    env_http_headers: variable,
    enabled_tools: enabledTools,
    disabled_tools: disabledTools,
    startup_timeout_sec: start,
    startup_timeout_ms: startMs,
    tool_timeout_sec: callSeconds,
    ...rest
  } = entry;
  const variables = Object.entries(isRecord(variable) ? variable : {});
  const headers = {
    ...(isRecord(fixed) ? fixed : {}),
    ...Object.fromEntries(variables.map(([header, name]) => [header, `\${${name}}`])),
    ...(bearer === undefined ? {} : { Authorization: `Bearer \${${bearer}}` }),
  };
  const names = [passed ?? []].flat().map((one) => ownProperty(one, 'name') ?? one);
  const startSeconds = start ?? (typeof startMs === 'number' ? startMs / 1000 : undefined);
  const keys = {
    ...{ enabledTools, disabledTools, startSeconds, callSeconds },
    passEnv: names.length === 0 ? undefined : names,
    headers: Object.keys(headers).length === 0 ? undefined : headers,
  };
  const set = Object.entries(keys).filter(([, value]) => value !== undefined);
  return { ...rest, ...Object.fromEntries(set) } as JsonObject;
}

/** An entry of opencode with the keys that Toolfold reads. Others stay. */
function opencodeEntry(entry: JsonObject): JsonObject {
  const own = mapTexts(entry, withVariables) as JsonObject;
  const { type: _, command, environment, ...rest } = own;
  const [program, ...args] = [command ?? []].flat();
  return {
    ...rest,
    ...(program === undefined ? {} : { command: program, args }),
    ...(environment === undefined ? {} : { env: environment }),
  } as JsonObject;
}

function withVariables(text: string): string {
  return text.replace(/\{(env|file):([^{}]*)\}/g, (_, kind: string, name: string) =>
    kind === 'env' ? `\${${name}}` : `\${file:${name}}`,
  );
}

/** Kinds of extensions of Goose that are parts of it, and no servers. */
const OF_GOOSE: readonly unknown[] = ['builtin', 'platform', 'frontend'];

/** The value of a YAML text as JSON. Throws `invalid-config` with the position of a mistake, and never shows a line. */
export async function yamlValue(file: string, text: string): Promise<JsonValue> {
  const { parse, YAMLError } = await import('yaml');
  try {
    // Aliases can make a small file very large.
    return JSON.parse(JSON.stringify(parse(text, { maxAliasCount: 100, logLevel: 'error' }) ?? {}));
  } catch (error) {
    const [at] = (error instanceof YAMLError && error.linePos) || [];
    const place = at ? `:${at.line}:${at.col}` : '';
    throw new ToolfoldError('invalid-config', `${file}${place}: It is not YAML.`, 'Correct it.');
  }
}

/** The servers among the extensions of Goose. */
function gooseServers(root: JsonValue): JsonValue {
  const extensions = ownProperty(root, 'extensions') ?? {};
  if (!isRecord(extensions)) return extensions as JsonValue;
  const servers = Object.entries(extensions).filter(
    ([, entry]) => !OF_GOOSE.includes(ownProperty(entry, 'type')),
  );
  return Object.fromEntries(servers) as JsonObject;
}

/** An entry of Goose with the keys that Toolfold reads. Others stay. */
function gooseEntry({
  cmd,
  envs,
  env_keys,
  uri,
  available_tools,
  ...entry
}: JsonObject): JsonObject {
  const isLimited = !Array.isArray(available_tools) || available_tools.length > 0;
  return {
    ...entry,
    ...set({ command: cmd, env: envs, url: uri }),
    ...(Array.isArray(env_keys) && env_keys.length === 0 ? {} : set({ passEnv: env_keys })),
    // In Goose, an empty list allows all.
    ...(isLimited ? set({ enabledTools: available_tools }) : {}),
  };
}

/** The servers of Continue by their names. */
function continueServers(root: JsonValue): JsonValue {
  const servers = ownProperty(root, 'mcpServers') ?? [];
  if (!Array.isArray(servers)) return servers as JsonValue;
  return Object.fromEntries(
    servers.map((entry, at) => [String(ownProperty(entry, 'name') ?? `server-${at + 1}`), entry]),
  );
}

/** An entry of Continue with the keys and variables that Toolfold reads. Others stay. */
function continueEntry(given: JsonObject): JsonObject {
  const { requestOptions, apiKey, connectionTimeout, ...entry } = mapTexts(given, (text) =>
    text.replace(/\$\{\{\s*(?:secrets|inputs)\.([\w.-]+)\s*\}\}/g, '${$1}'),
  ) as JsonObject;
  const { headers, ...others } = isRecord(requestOptions) ? (requestOptions as JsonObject) : {};
  const isKeyed =
    typeof apiKey === 'string' && entry.headers === undefined && headers === undefined;
  return {
    ...entry,
    ...set({ headers }),
    ...(isKeyed ? { headers: { Authorization: `Bearer ${apiKey}` } } : {}),
    ...(typeof connectionTimeout === 'number' ? { startSeconds: connectionTimeout / 1000 } : {}),
    ...(Object.keys(others).length > 0 ? { requestOptions: others } : {}),
  };
}

/** The members that are set. */
function set(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter(
      (member): member is [string, JsonValue] => member[1] !== undefined && member[1] !== null,
    ),
  );
}

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
