import { checkKnown, type KnownOptions } from '@toolfold/core/internal/tools/names';
import { ownProperty } from '@toolfold/core/internal/tools/values';
import type { ServerEntry } from '../config/index.ts';
import type { HttpAuth } from '../transport/index.ts';
import { prepareLogin } from './host-login.ts';
import { canLogIn, isOfProgram, type LoginContextOptions, loginContext } from './login-context.ts';
import { missingScope, scopesOf } from './scopes.ts';
import { isEnding, type StoredLogin, withLock } from './store/index.ts';
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

const AUTH_PROVIDER_FOR_OPTIONS: KnownOptions<AuthProviderOptions> = {
  folder: true,
  onWarning: true,
  now: true,
  requestTimeout: true,
  redirectUrl: true,
};

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
  checkKnown('authProviderFor()', options, AUTH_PROVIDER_FOR_OPTIONS);
  if (!canLogIn(entry)) return undefined;
  const { redirectUrl } = options;
  const context = loginContext(server, entry, options);
  const { store, secrets, now } = context;
  const rejectedTokens = new WeakMap<Response, string>();
  /** The renewal under way. All requests that need another token wait for the same one. */
  let renewal: Promise<void> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let authorizationUrl: string | undefined;

  const renewOrPrepare = async (rejected?: string, challenge?: Response): Promise<void> => {
    authorizationUrl = undefined;
    try {
      await renewTokens(context, rejected);
    } catch (error) {
      const needsLogin = ownProperty(error, 'name') === 'UnauthorizedError';
      if (needsLogin && challenge !== undefined && redirectUrl !== undefined) {
        authorizationUrl = await prepareLogin(context, redirectUrl, challenge);
      }
      throw error;
    }
  };
  const renew = (rejected?: string, challenge?: Response): Promise<void> => {
    renewal ??= renewOrPrepare(rejected, challenge).finally(() => {
      renewal = undefined;
    });
    return renewal;
  };
  const known = ({ tokens }: StoredLogin): string | undefined => {
    secrets.add([tokens?.access_token]);
    return tokens?.access_token;
  };
  return {
    secrets: secrets.texts,
    get authorizationUrl() {
      return authorizationUrl;
    },
    token: async () => {
      const login = await store.readRecent();
      if (!isEnding(login, now())) return known(login);
      const canRenew = isOfProgram(context.entry) || login.tokens?.refresh_token !== undefined;
      if (canRenew && now() >= failedAt + PAUSE_AFTER_FAILURE) {
        // After a failure the old token is sent. If it has ended, the server says so, and the renewal after
        // that reports the failure.
        await renew().catch(() => {
          failedAt = now();
        });
      }
      return known(await store.read());
    },
    rejected: (response, token) => void rejectedTokens.set(response, token),
    insufficient: async (response) => {
      const scope = await missingScope(response);
      if (scope === undefined) return;
      await withLock(store.file, async () => {
        const login = await store.read();
        const wantedScope = scopesOf(`${login.wantedScope ?? ''} ${scope}`).join(' ');
        if (wantedScope !== login.wantedScope) await store.write({ ...login, wantedScope });
      });
    },
    onUnauthorized: ({ response }) => renew(rejectedTokens.get(response), response),
  };
}
