import { quote } from '../../config/quoting/index.ts';
import type { ClientServer } from '../../mcp/clients/index.ts';
import { parseConfig } from '../../mcp/index.ts';
import {
  isRecord,
  type JsonValue,
  mapTexts,
  ownProperties,
  ownProperty,
  pick,
} from '../../tools/values/index.ts';
import { type ClientScope, withOwnVariables } from './client-variables.ts';
import { mapEntry, type PortableEntry } from './entry.ts';
import type { Candidate } from './merge.ts';
import { isToolList, toolLists } from './tool-lists.ts';
import { VARIABLE } from './variable-names.ts';

/** An entry that can stand in the merged file, with what is different there; or why there is none. */
export type Ported = Pick<Candidate, 'entry' | 'tools' | 'notes'> | { readonly reason: string };

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
  const plain = mapEntry(knownKeys(entry), (text) =>
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
  const { type, url, serverUrl, httpUrl, ...own } = pick(ownProperties(entry), ...KNOWN);
  const { command, args, env, cwd, passEnv, headers, ...times } = own;
  const isSse = type === 'sse';
  const all =
    command === undefined || type === 'http' || isSse
      ? { ...(isSse && { type }), url: url ?? serverUrl ?? httpUrl, headers, ...times }
      : { command, args, env, cwd, passEnv, ...times };
  const isEmpty = (value: unknown): boolean =>
    value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !isEmpty(value)));
}

/** Why Toolfold could not use the entry, apart from variables that are not set. */
function problemOf(name: string, entry: JsonValue, scope: ClientScope): string | undefined {
  if (ownProperty(entry, 'source') === 'extension' && ownProperty(entry, 'command') === undefined)
    return 'an extension of the client starts it';
  // A wrong value of "disabled" may have been meant to disable the server.
  const isSwitch = typeof ownProperty(entry, 'disabled') === 'boolean';
  const checkedKeys = isSwitch ? KNOWN : [...KNOWN, 'disabled'];
  const read = isRecord(entry) ? pick(ownProperties(entry), ...checkedKeys) : entry;
  // A whole address, or a part of one: a user, a host, a port.
  const [whole, part] = ['http://localhost', '1'].map((value) => {
    const filled = mapTexts(read, (text) =>
      withOwnVariables(text, scope, () => {}).replace(VARIABLE, value),
    );
    const text = JSON.stringify({ mcpServers: Object.fromEntries([[name, filled]]) });
    const server = parseConfig('', text, { env: {} }).servers.get(name);
    return server?.kind === 'unusable' ? server.reason : undefined;
  });
  return part === undefined ? undefined : whole;
}
