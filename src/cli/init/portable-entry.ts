import { quote } from '../../config/quoting/index.ts';
import type { ClientServer } from '../../mcp/clients/index.ts';
import { parseConfig } from '../../mcp/index.ts';
import { isRecord, type JsonValue, ownProperty } from '../../tools/values/index.ts';
import { type ClientScope, withOwnVariables } from './client-variables.ts';
import { mapTexts, type PortableEntry } from './entry.ts';
import { isToolList, type ToolLists, toolLists } from './tool-lists.ts';
import { variablesIn } from './variable-names.ts';

/** An entry that can stand in the merged file, with what is different there; or why there is none. */
export type Ported =
  | {
      readonly entry: PortableEntry;
      readonly tools: ToolLists;
      readonly notes: readonly string[];
    }
  | { readonly reason: string };

/** The keys that are taken over. */
const KNOWN = [
  ...['type', 'command', 'args', 'env', 'cwd', 'url', 'serverUrl', 'httpUrl', 'headers'],
  ...['passEnv', 'startSeconds', 'callSeconds'],
];
/** Keys of clients that are left out without a word, because nothing depends on them here. */
const SILENT = new Set(
  'type transport transportType disabled enabled source description alwaysAllow autoApprove trust timeout gallery version dev remote'.split(
    ' ',
  ),
);

/** Reads an entry of a client. Never throws, and never shows a value. */
export function portable(server: ClientServer, scope: ClientScope): Ported {
  const { entry } = server;
  const problem = problemOf(server.name, entry, scope);
  if (problem !== undefined) return { reason: problem };
  const notes = new Set<string>();
  const plain = mapTexts(knownKeys(entry), (text) =>
    withOwnVariables(text, scope, (note) => notes.add(note)),
  );
  for (const key of isRecord(entry) ? Object.keys(entry) : []) {
    if (isToolList(key, ownProperty(entry, key))) continue;
    if (key === 'envFile') notes.add('its "envFile" is not read: set the variables of that file');
    else if (!SILENT.has(key) && !KNOWN.includes(key))
      notes.add(`its ${quote(key)} is left out: it is a setting of the client`);
  }
  return { entry: plain, tools: toolLists(entry), notes: [...notes] };
}

/** The entry without the keys of clients. `problemOf` has checked the types. */
function knownKeys(entry: JsonValue): PortableEntry {
  const text = (key: string): string | undefined => {
    const value = ownProperty(entry, key);
    return typeof value === 'string' ? value : undefined;
  };
  const record = (key: string): Record<string, string> => {
    const value = ownProperty(entry, key);
    const members = isRecord(value) ? Object.entries(value) : [];
    return Object.fromEntries(members.map(([name, item]) => [name, String(item)]));
  };
  const type = text('type');
  const command = text('command');
  const times = ['startSeconds', 'callSeconds'].flatMap((key) => {
    const value = ownProperty(entry, key);
    return typeof value === 'number' ? [[key, value]] : [];
  });
  const passEnv = ownProperty(entry, 'passEnv');
  if (command !== undefined && type !== 'http' && type !== 'sse') {
    const [args, env, cwd] = [ownProperty(entry, 'args'), record('env'), text('cwd')];
    return {
      command,
      ...(Array.isArray(args) && args.length > 0 ? { args: args.map(String) } : {}),
      ...(Object.keys(env).length > 0 ? { env } : {}),
      ...(cwd === undefined ? {} : { cwd }),
      ...(Array.isArray(passEnv) && passEnv.length > 0 ? { passEnv: passEnv.map(String) } : {}),
      ...Object.fromEntries(times),
    };
  }
  const url = text('url') ?? text('serverUrl') ?? text('httpUrl') ?? '';
  const headers = record('headers');
  return {
    ...(type === 'sse' ? { type } : {}),
    url,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...Object.fromEntries(times),
  };
}

/** Why Toolfold could not use the entry, apart from variables that are not set. */
function problemOf(name: string, entry: JsonValue, scope: ClientScope): string | undefined {
  if (ownProperty(entry, 'source') === 'extension' && ownProperty(entry, 'command') === undefined)
    return 'an extension of the client starts it';
  // A wrong value of "disabled" may have been meant to disable the server.
  const isSwitch = typeof ownProperty(entry, 'disabled') === 'boolean';
  const checkedKeys = isSwitch ? KNOWN : [...KNOWN, 'disabled'];
  const keys = Object.entries(isRecord(entry) ? entry : {}).filter(([key]) =>
    checkedKeys.includes(key),
  );
  const checked = mapJson(isRecord(entry) ? Object.fromEntries(keys) : entry, (item) =>
    withOwnVariables(item, scope, () => {}),
  );
  const text = JSON.stringify({ mcpServers: Object.fromEntries([[name, checked]]) });
  // Any value will do: an address stays an address with this one.
  const env = Object.fromEntries(
    variablesIn(text).map((variable) => [variable, 'http://localhost']),
  );
  const server = parseConfig('', text, { env }).servers.get(name);
  if (server?.kind !== 'unusable') return;
  return /is not a variable Toolfold knows/.test(server.reason) ? undefined : server.reason;
}

/** The value with each of its texts changed. A client's file has a bounded depth. */
function mapJson(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapJson(item, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapJson(item, change)]),
  );
}
