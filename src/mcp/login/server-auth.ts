import type { HttpServerEntry, ServerEntry } from '../config/index.ts';
import type { HttpAuth } from '../transport/index.ts';
import { KnownSecrets } from './known-secrets.ts';
import { isEnding, LoginStore, type StoreOptions } from './store/index.ts';
import { ownerOf, type RenewalContext, renewTokens } from './token-renewal.ts';

/** Milliseconds without a further attempt after a refresh before the end of a token has failed. */
const PAUSE_AFTER_FAILURE = 30_000;

/** Options of `authProviderFor`. */
export interface AuthProviderOptions extends StoreOptions {
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

/**
 * The authentication for the transport of a server: sends the token of the login, refreshes it before it
 * ends and when the server refuses it. It never opens a browser and never waits for a person.
 * `undefined` for servers that have no login (`canLogIn`).
 */
export function authProviderFor(
  server: string,
  entry: ServerEntry,
  options: AuthProviderOptions = {},
): HttpAuth | undefined {
  return canLogIn(entry) ? new ServerAuth(server, entry, options) : undefined;
}

class ServerAuth implements HttpAuth {
  readonly #context: RenewalContext;
  readonly #rejected = new WeakMap<Response, string>();
  /** The renewal under way. All requests that need another token wait for the same one. */
  #renewal: Promise<void> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(server: string, entry: HttpServerEntry, options: AuthProviderOptions) {
    const { now = Date.now, requestTimeout } = options;
    const store = new LoginStore(ownerOf(server, entry), options);
    const secrets = new KnownSecrets(entry.secrets);
    this.#context = { server, entry, store, secrets, now, requestTimeout };
  }

  get secrets(): readonly string[] {
    return this.#context.secrets.texts;
  }

  async token(): Promise<string | undefined> {
    const { store, now } = this.#context;
    const login = await store.read();
    if (!isEnding(login, now())) return this.#known(login.tokens?.access_token);
    const isOwn = this.#context.entry.oauth?.grant === 'client-credentials';
    const canRenew = isOwn || login.tokens?.refresh_token !== undefined;
    if (canRenew && now() >= this.#failedAt + PAUSE_AFTER_FAILURE) {
      // After a failure the old token is sent. If it has ended, the server says so, and the renewal after
      // that reports the failure.
      await this.#renew(undefined).catch(() => {
        this.#failedAt = now();
      });
    }
    return this.#known((await store.read()).tokens?.access_token);
  }

  rejected(response: Response, token: string): void {
    this.#rejected.set(response, token);
  }

  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    await this.#renew(this.#rejected.get(response));
  }

  #renew(rejected: string | undefined): Promise<void> {
    this.#renewal ??= renewTokens(this.#context, rejected).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  #known(token: string | undefined): string | undefined {
    this.#context.secrets.add([token]);
    return token;
  }
}
