import { pick } from '../../tools/values/index.ts';
import type { HttpServerEntry, ServerEntry } from '../config/index.ts';
import { KnownSecrets } from './known-secrets.ts';
import { noLogin } from './login-failure.ts';
import { LoginStore, type StoreOptions } from './store/index.ts';

/** Options of everything that uses a login. */
export interface LoginContextOptions extends StoreOptions {
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** Milliseconds for one request to an authorization server. Default: 20,000. */
  readonly requestTimeout?: number;
}

/** What everything that uses the login of one server works with. */
export interface LoginContext {
  readonly server: string;
  readonly entry: HttpServerEntry;
  readonly store: LoginStore;
  readonly secrets: KnownSecrets;
  readonly now: () => number;
  readonly requestTimeout?: number | undefined;
  /** Ends requests to the authorization server. */
  readonly signal?: AbortSignal | undefined;
}

/** The context of a server. Throws `invalid-option` for a server without logins. */
export function loginContext(
  server: string,
  entry: ServerEntry,
  options: LoginContextOptions & { readonly signal?: AbortSignal },
): LoginContext {
  if (!canLogIn(entry)) throw noLogin(server, entry);
  const { url, oauth } = entry;
  const store = new LoginStore({ server, url, ...(oauth && pick(oauth, 'clientId')) }, options);
  const secrets = new KnownSecrets(entry.secrets);
  const { now = Date.now, requestTimeout, signal } = options;
  return { server, entry, store, secrets, now, requestTimeout, signal };
}

/** Whether a server of this entry can be logged in to: it is reached by URL, and has no `Authorization` header. */
export function canLogIn(entry: ServerEntry): entry is HttpServerEntry {
  if (entry.kind !== 'http' && entry.kind !== 'sse') return false;
  return ![...entry.headers.keys()].some((name) => name.toLowerCase() === 'authorization');
}

/** Whether the program logs in by itself, without a person. */
export function isOfProgram({ oauth }: HttpServerEntry): boolean {
  return oauth?.grant === 'client-credentials';
}

/** What the user does when a login is needed, as a command. */
export function loginAdvice(server: string): string {
  const name = /^\w[\w.@/-]*$/.test(server) ? server : JSON.stringify(server);
  return `Run: toolfold login ${name}`;
}
