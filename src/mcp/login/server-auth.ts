import { ownProperty } from '../../tools/values/index.ts';
import type { HttpServerEntry, ServerEntry } from '../config/index.ts';
import type { HttpAuth } from '../transport/index.ts';
import { prepareLogin } from './host-login.ts';
import {
  canLogIn,
  isOfProgram,
  type LoginContext,
  type LoginContextOptions,
  loginContext,
} from './login-context.ts';
import { missingScope, scopesOf } from './scopes.ts';
import { isEnding, withLock } from './store/index.ts';
import { renewTokens } from './token-renewal.ts';

/** Milliseconds without a further attempt after a refresh before the end of a token has failed. */
const PAUSE_AFTER_FAILURE = 30_000;

/** Options of `authProviderFor`. */
export interface AuthProviderOptions extends LoginContextOptions {
  /**
   * An address of the host for the answer of the browser, for hosts that are web servers. With it, a request
   * that needs a login prepares one: `authorizationUrl` is where the person logs in, and the host passes the
   * parameters of the answer to `finishLogin`.
   */
  readonly redirectUrl?: string;
}

/** The authentication of a server with a login. */
export interface LoginAuth extends HttpAuth {
  /** Where the person logs in, if a login is needed and was prepared (`redirectUrl`). */
  readonly authorizationUrl: string | undefined;
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
): LoginAuth | undefined {
  return canLogIn(entry) ? new ServerAuth(server, entry, options) : undefined;
}

class ServerAuth implements LoginAuth {
  readonly #context: LoginContext;
  readonly #rejected = new WeakMap<Response, string>();
  /** The renewal under way. All requests that need another token wait for the same one. */
  #renewal: Promise<void> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  readonly #redirectUrl: string | undefined;
  authorizationUrl: string | undefined;

  constructor(server: string, entry: HttpServerEntry, options: AuthProviderOptions) {
    this.#redirectUrl = options.redirectUrl;
    this.#context = loginContext(server, entry, options);
  }

  get secrets(): readonly string[] {
    return this.#context.secrets.texts;
  }

  async token(): Promise<string | undefined> {
    const { store, now } = this.#context;
    const login = await store.readRecent();
    if (!isEnding(login, now())) return this.#known(login.tokens?.access_token);
    const canRenew = isOfProgram(this.#context.entry) || login.tokens?.refresh_token !== undefined;
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

  async insufficient(response: Response): Promise<void> {
    const { store } = this.#context;
    const scope = await missingScope(response);
    if (scope === undefined) return;
    await withLock(store.file, async () => {
      const login = await store.read();
      const wantedScope = scopesOf(`${login.wantedScope ?? ''} ${scope}`).join(' ');
      if (wantedScope !== login.wantedScope) await store.write({ ...login, wantedScope });
    });
  }

  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    await this.#renew(this.#rejected.get(response), response);
  }

  #renew(rejected: string | undefined, challenge?: Response): Promise<void> {
    this.#renewal ??= this.#renewOrPrepare(rejected, challenge).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renewOrPrepare(rejected: string | undefined, challenge?: Response): Promise<void> {
    this.authorizationUrl = undefined;
    try {
      await renewTokens(this.#context, rejected);
    } catch (error) {
      const needsLogin = ownProperty(error, 'name') === 'UnauthorizedError';
      if (needsLogin && challenge !== undefined && this.#redirectUrl !== undefined) {
        this.authorizationUrl = await prepareLogin(this.#context, this.#redirectUrl, challenge);
      }
      throw error;
    }
  }

  #known(token: string | undefined): string | undefined {
    this.#context.secrets.add([token]);
    return token;
  }
}
