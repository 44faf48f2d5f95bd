import { quote } from '@toolfold/config/internal/config/quoting';
import {
  isRecord,
  type JsonValue,
  mapTexts,
  ownProperties,
  pick,
} from '@toolfold/core/internal/tools/values';
import { parseConfig } from '@toolfold/mcp/internal/mcp';
import type { ClientServer } from '@toolfold/mcp/internal/mcp/clients';
import { type ClientScope, withOwnVariables } from './client-variables.ts';
import { mapEntry, type PortableEntry } from './entry.ts';
import type { Candidate } from './merge.ts';
import { VARIABLE } from './variable-names.ts';

/** An entry that can stand in the merged file, with what is different there; or why there is none. */
export type Ported = Pick<Candidate, 'entry' | 'tools' | 'notes'> | { readonly reason: string };

const KNOWN = [
  ...['type', 'command', 'args', 'env', 'envFile', 'cwd', 'url', 'headers'],
  ...['passEnv', 'startSeconds', 'callSeconds', 'maxCallSeconds'],
];

/** Reads an entry of a client. Never throws, and never shows a value. */
export function portable(server: ClientServer, scope: ClientScope): Ported {
  const { entry, tools } = server;
  const problem = server.refusal ?? problemOf(server.name, entry, scope);
  if (problem !== undefined) return { reason: problem };
  const notes = new Set<string>();
  const plain = mapEntry(knownKeys(entry), (text) =>
    withOwnVariables(text, scope, (note) => notes.add(note)),
  );
  const others = Object.keys(ownProperties(entry)).filter((key) => !KNOWN.includes(key));
  for (const key of [...others, ...server.unused])
    notes.add(`its ${quote(key)} is left out: it is a setting of the client`);
  return { entry: plain, tools, notes: [...notes] };
}

/** The entry without the keys of clients. `problemOf` has checked the types. */
function knownKeys(entry: JsonValue): PortableEntry {
  const { type, url, ...own } = pick(ownProperties(entry), ...KNOWN);
  const { command, args, env, envFile, cwd, passEnv, headers, ...times } = own;
  const isSse = type === 'sse';
  const all =
    command === undefined || type === 'http' || isSse
      ? { ...(isSse && { type }), url, headers, ...times }
      : { command, args, env, envFile, cwd, passEnv, ...times };
  const isEmpty = (value: unknown): boolean =>
    value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !isEmpty(value)));
}

/** Why Toolfold could not use the entry, apart from variables that are not set. */
function problemOf(name: string, entry: JsonValue, scope: ClientScope): string | undefined {
  // The file of variables may be elsewhere.
  const checkedKeys = KNOWN.filter((key) => key !== 'envFile');
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
