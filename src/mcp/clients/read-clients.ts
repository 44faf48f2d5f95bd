import { join } from 'node:path';
import { JsonSource } from '../../config/index.ts';
import { errorMessage } from '../../errors.ts';
import { ownProperties, ownProperty } from '../../tools/values/index.ts';
import {
  type ClientPlace,
  clientPlaces,
  type FindConfigsOptions,
  placeAt,
} from '../config/index.ts';
import { codexServers } from './codex.ts';
import { readText } from './read-text.ts';
import { type ClientServers, clientServer, sameInGemini, serversIn } from './server-entries.ts';

/** A client's file. `unreadable`: something is wrong with it. */
export type ClientFile = ClientPlace &
  (
    | ({ readonly state: 'read' } & ClientServers)
    | { readonly state: 'absent' }
    | { readonly state: 'unreadable'; readonly reason: string }
  );

const NONE: ClientServers = { servers: [], inputs: [], rejected: [] };

export interface ReadClientsOptions extends FindConfigsOptions {
  /** Default: all. */
  readonly clients?: readonly string[];
}

/** The ids of all known clients, in the order of their places. */
export function clientIds(): string[] {
  const nowhere: FindConfigsOptions = { cwd: '/', home: '/', platform: 'linux', env: {} };
  return [...new Set(clientPlaces(nowhere).map(({ id }) => id))];
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
  const off = await disabledInGemini(options);
  return files.map((file) => {
    if (file.id === 'gemini-cli') return withDisabled(file, (name) => off.has(sameInGemini(name)));
    // The user's file lists which servers of `.mcp.json` are rejected.
    const isRejectable = file.id === 'claude-code' && file.scope === 'project';
    return isRejectable ? withDisabled(file, (name) => rejected.has(name)) : file;
  });
}

/** Reads one client's file. Never throws. */
export async function readClient(place: ClientPlace, cwd: string): Promise<ClientFile> {
  const read = await readText(place.file);
  if (read.state !== 'read') return { ...place, ...read };
  // Some clients create an empty file.
  if (read.text.replace(/^\uFEFF/, '').trim() === '') return { ...place, state: 'read', ...NONE };
  try {
    if (place.format === 'codex') {
      const servers = (await codexServers(place.file, read.text)).map(clientServer);
      return { ...place, state: 'read', ...NONE, servers };
    }
    const source = new JsonSource(place.file, read.text);
    return { ...place, state: 'read', ...serversIn(source, place, cwd) };
  } catch (error) {
    return { ...place, state: 'unreadable', reason: errorMessage(error) };
  }
}

function withDisabled(file: ClientFile, isOff: (name: string) => boolean): ClientFile {
  if (file.state !== 'read') return file;
  const servers = file.servers.map((server) => ({
    ...server,
    isDisabled: server.isDisabled || isOff(server.name),
  }));
  return { ...file, servers };
}

/** The names that `gemini mcp disable` has written. Comments are left out; a file with a mistake disables nothing. */
async function disabledInGemini({ home }: FindConfigsOptions): Promise<Set<string>> {
  const file = join(home, '.gemini', 'mcp-server-enablement.json');
  const read = await readText(file);
  if (read.state !== 'read') return new Set();
  try {
    const source = new JsonSource(file, read.text);
    const servers = Object.entries(ownProperties(source.value(source.root)));
    const off = servers.filter(([, state]) => ownProperty(state, 'enabled') === false);
    return new Set(off.map(([name]) => sameInGemini(name)));
  } catch {
    return new Set();
  }
}

/** The settings of Claude Code, which hold no servers. A file with a mistake rejects nothing. */
function readClaudeSettings({ cwd, home }: FindConfigsOptions): Promise<ClientFile[]> {
  const files = [
    join(cwd, '.claude', 'settings.local.json'),
    join(cwd, '.claude', 'settings.json'),
    join(home, '.claude', 'settings.json'),
  ];
  const places = files.map((file) => placeAt('user', 'Claude Code', file));
  return Promise.all(places.map((place) => readClient(place, cwd)));
}
