import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { clientSource } from './client-source.ts';
import { companionRestrictions } from './companions.ts';
import { type ClientPlace, clientPlaces, type FindConfigsOptions } from './places.ts';
import { readText } from './read-text.ts';
import { type ClientServers, serversIn } from './server-entries.ts';

/** A client's file. `unreadable`: something is wrong with it. */
export type ClientFile = ClientPlace &
  (
    | ({ readonly state: 'read' } & ClientServers)
    | { readonly state: 'absent' }
    | { readonly state: 'unreadable'; readonly reason: string }
  );

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
  return Promise.all(places.map((place) => readClient(place, options)));
}

/** Reads one client's file, and what the client's other files restrict. Never throws. */
export async function readClient(
  place: ClientPlace,
  where: FindConfigsOptions,
): Promise<ClientFile> {
  const read = await readText(place.file);
  if (read.state !== 'read') return { ...place, ...read };
  // Some clients create an empty file.
  if (read.text.replace(/^\uFEFF/, '').trim() === '')
    return { ...place, state: 'read', servers: [], inputs: [] };
  try {
    const source = await clientSource(place, read.text);
    const restrictions = await companionRestrictions(place, where);
    return { ...place, state: 'read', ...serversIn(source, place, where.cwd, restrictions) };
  } catch (error) {
    return { ...place, state: 'unreadable', reason: errorMessage(error) };
  }
}
