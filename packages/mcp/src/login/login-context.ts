import { connectionFailed, errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { ownProperty, pick, truncate } from '@toolfold/core/internal/values';
import type { HttpServerEntry, ServerEntry } from '../config/index.ts';
import { redact, secretTexts, stripControls } from '../redact.ts';
import { LoginStore, type LoginStoreOptions } from './login-store.ts';

/** Maximum remembered values. A refresh adds two. */
const MAX_VALUES = 40;

/** Options of everything that uses a login. */
export interface LoginContextOptions extends LoginStoreOptions {
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

/** The error for a server that cannot be logged in to. */
function noLogin(server: string, entry: ServerEntry): ToolfoldError {
  const [reason, hint] =
    entry.kind === 'unusable'
      ? [entry.reason, entry.remedy]
      : entry.kind === 'http' || entry.kind === 'sse'
        ? ['its entry has an "Authorization" header', 'Remove the header to log in.']
        : ['it is not reached by URL', 'Only servers with a "url" have logins.'];
  return new ToolfoldError('invalid-option', `${server} has no login: ${reason}.`, hint);
}

/**
 * The secrets of one server: those of its entry, and the tokens and codes that were received. `texts`
 * is one list that changes in place, so that a transport always removes the current ones.
 */
export class KnownSecrets {
  readonly texts: string[];
  readonly #ofEntry: readonly string[];
  #values: string[] = [];

  constructor(ofEntry: readonly string[]) {
    this.#ofEntry = ofEntry;
    this.texts = [...ofEntry];
  }

  /** Adds values. The oldest are forgotten. */
  add(values: Iterable<unknown>): void {
    const fresh = [...values].filter((value) => typeof value === 'string' && value !== '');
    const added = (fresh as string[]).filter((value) => !this.#values.includes(value));
    if (added.length === 0) return;
    this.#values = [...this.#values, ...added].slice(-MAX_VALUES);
    const texts = new Set([...this.#ofEntry, ...secretTexts(this.#values)]);
    this.texts.splice(0, this.texts.length, ...[...texts].sort((a, b) => b.length - a.length));
  }

  /** The text on one line, without secrets and terminal escapes. */
  hide(text: string): string {
    return redact(stripControls(text).replace(/\s+/g, ' '), this.texts);
  }
}

const MAX_REASON = 600;

/** The error of a login that failed. */
export function loginFailed(server: string, reason: string, hint: string): ToolfoldError {
  return connectionFailed(`The login to ${server} failed: ${reason}.`, hint);
}

/** The error of a login that ended with an error of the SDK or of Node, without secrets. */
export function loginError(server: string, error: unknown, secrets: KnownSecrets): ToolfoldError {
  if (error instanceof ToolfoldError) return error;
  const [name, code] = [ownProperty(error, 'name'), ownProperty(error, 'code')];
  if (name === 'IssuerMismatchError' && ownProperty(error, 'kind') === 'authorization_response') {
    // The answer may come from an attacker, so nothing of it is shown.
    return loginFailed(
      server,
      'the answer of the browser came from another authorization server',
      'Start the login again. If that does not help, report it to the maker of the server.',
    );
  }
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    return loginFailed(
      server,
      `the port for the answer of the browser cannot be used (${code})`,
      'Change "oauth.redirectPort" in its entry, or end the program that uses the port.',
    );
  }
  const issues = ownProperty(error, 'issues');
  if (Array.isArray(issues)) {
    const keys = issues.map((issue) => [ownProperty(issue, 'path') ?? []].flat().join('.'));
    const named = keys.filter(Boolean).slice(0, 5).join(', ');
    return loginFailed(
      server,
      `an answer of its authorization server is not as the protocol says${named === '' ? '' : ` (missing or wrong: ${truncate(named, 200)})`}`,
      'Report it to the maker of the server.',
    );
  }
  const message = errorMessage(error);
  const isOAuth = name === 'OAuthError' && typeof code === 'string' && !message.includes(code);
  const text = truncate(secrets.hide(isOAuth ? `${code}: ${message}` : message), MAX_REASON);
  const hint = /dynamic client registration/i.test(message)
    ? 'Register a client with the authorization server, and add its "clientId" to "oauth" in the entry.'
    : 'Start the login again, or check "oauth" in the entry of the server.';
  return loginFailed(server, text.replace(/\.$/, ''), hint);
}
