import { pick } from '../../tools/values/index.ts';
import type { HttpServerEntry, ServerEntry } from '../config/index.ts';
import type { LoginOwner, StoreOptions } from './store/index.ts';

/** Options of everything that uses a login. */
export interface LoginContextOptions extends StoreOptions {
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** Milliseconds for one request to an authorization server. Default: 20,000. */
  readonly requestTimeout?: number;
}

/** Whether a server of this entry can be logged in to: it is reached by URL, and has no `Authorization` header. */
export function canLogIn(entry: ServerEntry): entry is HttpServerEntry {
  if (entry.kind !== 'http' && entry.kind !== 'sse') return false;
  return ![...entry.headers.keys()].some((name) => name.toLowerCase() === 'authorization');
}

/** Whose login the one of this entry is. */
export function ownerOf(server: string, { url, oauth }: HttpServerEntry): LoginOwner {
  return { server, url, ...(oauth && pick(oauth, 'clientId')) };
}

/** Whether the program logs in by itself, without a person. */
export function isOfProgram({ oauth }: HttpServerEntry): boolean {
  return oauth?.grant === 'client-credentials';
}

/** The command that logs in to a server, as a user types it. */
export function loginCommand(server: string): string {
  const name = /^\w[\w.@/-]*$/.test(server) ? server : JSON.stringify(server);
  return `toolfold login ${name}`;
}
