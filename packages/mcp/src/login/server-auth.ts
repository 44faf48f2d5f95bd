import type { StoredOAuthTokens } from '@modelcontextprotocol/client';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { checkKnown, type KnownOptions, ownProperty, pick } from '@toolfold/core/internal/values';
import type { ServerEntry } from '../config/index.ts';
import { importSdk } from '../sdk.ts';
import type { HttpAuth } from '../transport/index.ts';
import { authorizationFetch } from './authorization-fetch.ts';
import { hasState } from './callback.ts';
import {
  canLogIn,
  isOfProgram,
  type LoginContext,
  type LoginContextOptions,
  loginAdvice,
  loginContext,
  loginError,
} from './login-context.ts';
import { authorize, finish, logInAsProgram, missingScope, scopesOf } from './login-flow.ts';
import { isEnding, type StoredLogin, withLock } from './login-store.ts';
import { OAuthClient } from './oauth-client.ts';

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

/** Answers of an authorization server after which the refresh token is of no use. */
const FINAL_ERRORS = ['invalid_grant', 'invalid_client', 'unauthorized_client'];

/**
 * Makes a valid access token available in the store, and uses the one of another process if there is
 * one. `rejected` is a token that the server refused. Rejects with the SDK's `UnauthorizedError` if a
 * login is needed, and with another error if the authorization server could not be asked.
 */
async function renewTokens(context: LoginContext, rejected: string | undefined): Promise<void> {
  const { store, now } = context;
  const isDone = (login: StoredLogin): boolean =>
    login.tokens !== undefined && login.tokens.access_token !== rejected && !isEnding(login, now());
  if (isDone(await store.read())) return;
  await withLock(store.file, async () => {
    const login = await store.read();
    if (isDone(login)) return;
    if (isOfProgram(context.entry)) await requestTokens(context, login);
    else await refreshTokens(context, login);
  });
}

async function requestTokens(context: LoginContext, earlier: StoredLogin): Promise<void> {
  try {
    await context.store.write(await logInAsProgram({ ...context, earlier }));
  } catch (error) {
    throw new Error(context.secrets.hide(`it gave no token (${errorMessage(error)})`));
  }
}

/** Refreshes tokens. If the refresh token is not valid any more, removes the tokens. */
async function refreshTokens(context: LoginContext, login: StoredLogin): Promise<void> {
  const { server, entry, store, secrets } = context;
  const { refreshAuthorization, selectResourceURL, UnauthorizedError } = await importSdk();
  const { tokens, discovery } = login;
  const client = new OAuthClient({ ...context, login });
  const clientInformation = client.clientInformation();
  const refreshToken = tokens?.refresh_token;
  if (!refreshToken || discovery === undefined || clientInformation === undefined) {
    throw new UnauthorizedError(`it needs a login. ${loginAdvice(server)}`);
  }
  const { resourceMetadata } = discovery;
  let renewed: StoredOAuthTokens;
  try {
    // Rejects if the metadata is for another server.
    await selectResourceURL(entry.url, client, resourceMetadata);
    renewed = await refreshAuthorization(discovery.authorizationServerUrl, {
      metadata: discovery.authorizationServerMetadata,
      clientInformation,
      refreshToken,
      resource: resourceMetadata?.resource,
      addClientAuthentication: client.addClientAuthentication,
      fetchFn: authorizationFetch(context, false),
    });
  } catch (error) {
    const code = ownProperty(error, 'code');
    if (!FINAL_ERRORS.includes(typeof code === 'string' ? code : '')) {
      throw new Error(secrets.hide(`its token could not be refreshed (${errorMessage(error)})`));
    }
    // A process without the lock may have refreshed first, and made this refresh token invalid.
    const current = await store.read();
    if (current.tokens?.refresh_token !== refreshToken && current.tokens !== undefined) return;
    const kept = code === 'invalid_grant' ? (['client'] as const) : [];
    await store.write(pick(current, ...kept, 'discovery', 'wantedScope'));
    throw new UnauthorizedError(`it needs a login. ${loginAdvice(server)}`);
  }
  client.saveTokens({ ...renewed, issuer: tokens?.issuer });
  await store.write(client.login);
}

/**
 * Prepares a login whose answer goes to an address of the host, and keeps what is needed to finish it.
 * Returns where the person logs in; `undefined` if the authorization server cannot be asked. A login that
 * was prepared before stays valid.
 */
async function prepareLogin(
  context: LoginContext,
  redirectUrl: string,
  challenge: Response,
): Promise<string | undefined> {
  const { store } = context;
  const earlier = await store.read();
  if (earlier.pending?.redirectUrl === redirectUrl) return earlier.pending.url;
  // A client that registered itself may be known with another address.
  const kept = context.entry.oauth?.clientId === undefined ? {} : pick(earlier, 'client');
  const client = new OAuthClient({ ...context, login: kept, redirectUrl });
  try {
    await authorize({ ...context, earlier, challenge }, client);
    const { pending, login } = client;
    if (pending === undefined) return undefined;
    await store.write({ ...login, pending });
    return pending.url;
  } catch {
    // That a login is needed is reported in any case.
    return undefined;
  }
}

const FINISH_LOGIN_OPTIONS: KnownOptions<LoginContextOptions> = {
  folder: true,
  onWarning: true,
  now: true,
  requestTimeout: true,
};

/**
 * Finishes a login that was prepared with `redirectUrl`. `answer` holds the parameters that the browser
 * brought. Throws `invalid-option` if no login of this state waits for an answer, and
 * `connection-failed` if the login fails.
 */
export async function finishLogin(
  server: string,
  entry: ServerEntry,
  answer: URLSearchParams,
  options: LoginContextOptions = {},
): Promise<void> {
  checkKnown('finishLogin()', options, FINISH_LOGIN_OPTIONS);
  const context = loginContext(server, entry, options);
  const { store, secrets } = context;
  const earlier = await store.read();
  const { pending } = earlier;
  if (pending === undefined || !hasState(answer, pending.state)) {
    throw new ToolfoldError(
      'invalid-option',
      `No login to ${server} waits for this answer.`,
      'Start the login again.',
    );
  }
  const { redirectUrl } = pending;
  const client = new OAuthClient({ ...context, login: earlier, redirectUrl });
  try {
    await finish(context, client, answer);
  } catch (error) {
    // A code is valid once. The next request prepares another login.
    const { pending: _, ...rest } = earlier;
    await store.write(rest);
    throw loginError(server, error, secrets);
  }
  await store.write(client.login);
}
