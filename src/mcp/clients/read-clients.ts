import { join } from 'node:path';
import { errorMessage } from '../../errors.ts';
import type { FindConfigsOptions } from '../config/index.ts';
import { type ClientPlace, clientPlaces } from './client-places.ts';
import { parseSource } from './parse-source.ts';
import { readText } from './read-text.ts';
import { type ClientServers, serversIn } from './server-entries.ts';

/**
 * A client's file. `unreadable`: something is wrong with it. `unsupported`: Toolfold does not read
 * files of this kind.
 */
export type ClientFile = ClientPlace &
  (
    | ({ readonly state: 'read' } & ClientServers)
    | { readonly state: 'absent' }
    | { readonly state: 'unreadable' | 'unsupported'; readonly reason: string }
  );

const NONE: ClientServers = { servers: [], inputs: [], rejected: [] };

/** The options of `readClients`. Without `clients`, all are read. */
export interface ReadClientsOptions extends FindConfigsOptions {
  readonly clients?: readonly string[];
}

/** Reads the files of the known clients. A file that cannot be read does not affect the others. */
export async function readClients(options: ReadClientsOptions): Promise<ClientFile[]> {
  const { clients } = options;
  const places = clientPlaces(options).filter(
    ({ id }) => clients === undefined || clients.includes(id),
  );
  const files = await Promise.all(places.map((place) => readClient(place, options.cwd)));
  const rejected = new Set(
    [...files, ...(await readClaudeSettings(options))].flatMap((file) =>
      file.id === 'claude-code' && file.state === 'read' ? file.rejected : [],
    ),
  );
  return files.map((file) => withRejected(file, rejected));
}

/** Reads one client's file. Never throws. */
export async function readClient(place: ClientPlace, cwd: string): Promise<ClientFile> {
  const read = await readText(place.file);
  if (read.state !== 'read') return { ...place, ...read };
  if (place.format === 'toml') {
    if (!/mcp_servers/.test(read.text)) return { ...place, state: 'read', ...NONE };
    const reason = 'it is TOML, which Toolfold does not read';
    return { ...place, state: 'unsupported', reason };
  }
  // Some clients create an empty file.
  if (read.text.replace(/^\uFEFF/, '').trim() === '') return { ...place, state: 'read', ...NONE };
  const parsed = parseSource(place.file, read.text);
  if ('reason' in parsed) return { ...place, state: 'unreadable', reason: parsed.reason };
  try {
    return { ...place, state: 'read', ...serversIn(parsed.source, place, cwd) };
  } catch (error) {
    return { ...place, state: 'unreadable', reason: errorMessage(error) };
  }
}

/** Claude Code keeps outside `.mcp.json` which of its servers the user has rejected. */
function withRejected(file: ClientFile, rejected: ReadonlySet<string>): ClientFile {
  if (file.id !== 'claude-code' || file.scope !== 'project' || file.state !== 'read') return file;
  const servers = file.servers.map((server) => ({
    ...server,
    isDisabled: server.isDisabled || rejected.has(server.name),
  }));
  return { ...file, servers };
}

/** The settings of Claude Code, which hold no servers. A file with a mistake rejects nothing. */
function readClaudeSettings({ cwd, home }: FindConfigsOptions): Promise<ClientFile[]> {
  const files = [
    join(cwd, '.claude', 'settings.local.json'),
    join(cwd, '.claude', 'settings.json'),
    join(home, '.claude', 'settings.json'),
  ];
  const place = {
    client: 'Claude Code',
    id: 'claude-code',
    scope: 'user',
    format: 'json',
  } as const;
  return Promise.all(files.map((file) => readClient({ ...place, file }, cwd)));
}
