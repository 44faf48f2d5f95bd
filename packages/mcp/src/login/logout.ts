import { connectionFailed, errorMessage } from '@toolfold/core/internal/errors.ts';
import { checkKnown, type KnownOptions, ownProperty } from '@toolfold/core/internal/values';
import type { ServerEntry } from '../config/index.ts';
import { importSdk } from '../sdk.ts';
import { authorizationFetch } from './authorization-fetch.ts';
import { type LoginContext, type LoginContextOptions, loginContext } from './login-context.ts';
import type { StoredLogin } from './login-store.ts';
import { OAuthClient } from './oauth-client.ts';

/** Options of `logout`. */
export interface LogoutOptions extends LoginContextOptions {
  readonly signal?: AbortSignal;
}

/** The result of a logout. */
export interface LogoutResult {
  /** Whether there was a login. */
  readonly isRemoved: boolean;
  /** `true` if the server accepted the revocation; `false` if it offers none; otherwise why it failed. */
  readonly revoked: boolean | string;
}

const LOGOUT_OPTIONS: KnownOptions<LogoutOptions> = {
  folder: true,
  onWarning: true,
  now: true,
  requestTimeout: true,
  signal: true,
};

/**
 * Removes the login of a server, and revokes its tokens if the authorization server offers that. A failed
 * revocation is only part of the result. Throws `invalid-option` for a server without logins, and
 * `connection-failed` if the file cannot be removed.
 */
export async function logout(
  server: string,
  entry: ServerEntry,
  options: LogoutOptions = {},
): Promise<LogoutResult> {
  checkKnown('logout()', options, LOGOUT_OPTIONS);
  const context = loginContext(server, entry, options);
  const { store } = context;
  const login = await store.read();
  let isRemoved: boolean;
  try {
    // Removed first: if the revocation fails, the tokens must not stay in use here.
    isRemoved = (await store.remove()) || login.tokens !== undefined;
  } catch (error) {
    throw connectionFailed(
      `The login of ${server} cannot be removed: ${errorMessage(error)}.`,
      `Remove this file: ${store.file}`,
    );
  }
  return { isRemoved, revoked: await revoke(context, login) };
}

async function revoke(context: LoginContext, login: StoredLogin): Promise<boolean | string> {
  const { tokens, discovery } = login;
  const metadata = discovery?.authorizationServerMetadata;
  const endpoint = ownProperty(metadata, 'revocation_endpoint');
  if (tokens === undefined || typeof endpoint !== 'string') return false;
  const { secrets } = context;
  secrets.add([tokens.access_token, tokens.refresh_token]);
  const client = new OAuthClient({ ...context, login });
  const fetch = authorizationFetch(context, false);
  try {
    const { assertSecureTokenEndpoint } = await importSdk();
    const url = assertSecureTokenEndpoint(endpoint);
    const tokensToRevoke = [
      ['refresh_token', tokens.refresh_token],
      ['access_token', tokens.access_token],
    ] as const;
    for (const [hint, token] of tokensToRevoke) {
      if (token === undefined) continue;
      const body = new URLSearchParams({ token, token_type_hint: hint });
      const headers = new Headers();
      await authenticate(client, headers, body, url);
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error' });
      if (!response.ok) return `HTTP ${response.status}`;
    }
    return true;
  } catch (error) {
    return secrets.hide(errorMessage(error));
  }
}

/** Adds the client's credentials, as at the token endpoint (RFC 7009, section 2.1). */
async function authenticate(
  client: OAuthClient,
  headers: Headers,
  body: URLSearchParams,
  url: URL,
): Promise<void> {
  const metadata = client.login.discovery?.authorizationServerMetadata;
  if (client.addClientAuthentication) {
    return client.addClientAuthentication(headers, body, url, metadata);
  }
  const information = client.clientInformation();
  if (information === undefined) return;
  const { selectClientAuthMethod } = await importSdk();
  const methods = metadata?.token_endpoint_auth_methods_supported ?? [];
  const { client_id: id, client_secret: secret } = information;
  const method = selectClientAuthMethod(information, [...methods]);
  if (method === 'client_secret_basic' && secret !== undefined) {
    headers.set('authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`);
    return;
  }
  body.set('client_id', id);
  if (method === 'client_secret_post' && secret !== undefined) body.set('client_secret', secret);
}
