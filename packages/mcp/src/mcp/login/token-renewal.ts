import type { StoredOAuthTokens } from '@modelcontextprotocol/client';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { ownProperty, pick } from '@toolfold/core/internal/tools/values';
import { importSdk } from '../transport/index.ts';
import { authorizationFetch } from './authorization-fetch.ts';
import { isOfProgram, type LoginContext, loginAdvice } from './login-context.ts';
import { logInAsProgram } from './login-flow.ts';
import { OAuthClient } from './oauth-client.ts';
import { isEnding, type StoredLogin, withLock } from './store/index.ts';

/** Answers of an authorization server after which the refresh token is of no use. */
const FINAL_ERRORS = ['invalid_grant', 'invalid_client', 'unauthorized_client'];

/**
 * Makes a valid access token available in the store, and uses the one of another process if there is
 * one. `rejected` is a token that the server refused. Rejects with the SDK's `UnauthorizedError` if a
 * login is needed, and with another error if the authorization server could not be asked.
 */
export async function renewTokens(
  context: LoginContext,
  rejected: string | undefined,
): Promise<void> {
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
