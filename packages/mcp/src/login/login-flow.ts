import { listIn, pick } from '@toolfold/core/internal/values';
import type { OAuthEntry } from '../config/index.ts';
import { importSdk } from '../sdk.ts';
import { AddressCheck, authorizationFetch } from './authorization-fetch.ts';
import {
  type CallbackServer,
  firstAnswer,
  openCallbackServer,
  type PastedAnswers,
} from './callback.ts';
import type { LoginContext } from './login-context.ts';
import type { StoredLogin } from './login-store.ts';
import { OAuthClient } from './oauth-client.ts';

/** What the flow of one login works with. */
export interface LoginFlow extends LoginContext {
  readonly earlier: StoredLogin;
  /** The answer of the server that asked for a login, if there is one. */
  readonly challenge?: Response | undefined;
  /** Scopes that the user has chosen for this login. */
  readonly scopes?: readonly string[] | undefined;
  readonly pasted?: PastedAnswers | undefined;
}

/** Logs in with the program's own credentials. */
export async function logInAsProgram(flow: LoginFlow): Promise<StoredLogin> {
  const client = new OAuthClient({ ...flow, login: pick(flow.earlier, 'client') });
  await authorize(flow, client);
  return client.login;
}

/** Waits for a person to log in with a browser. `onUrl` gets the address. */
export async function logInAsPerson(
  flow: LoginFlow,
  onUrl: (url: string) => void | Promise<void>,
  signal: AbortSignal,
): Promise<StoredLogin> {
  const { callback, login } = await listen(flow);
  let result: 'done' | 'failed' = 'failed';
  try {
    const client = new OAuthClient({ ...flow, login, redirectUrl: callback.redirectUrl });
    await authorize(flow, client);
    const { pending } = client;
    if (pending === undefined) {
      throw new Error('its authorization server gave no address to log in');
    }
    const received = callback.answer(pending.state, signal);
    // The address is shown first. If that fails, nobody waits for the answer.
    received.catch(() => {});
    await onUrl(pending.url);
    const { pasted } = flow;
    const answer = await (pasted ? firstAnswer(received, pasted, pending) : received);
    await finish(flow, client, answer);
    result = 'done';
    return client.login;
  } finally {
    await callback.close(result);
  }
}

/** Exchanges the answer of the browser for tokens. */
export async function finish(
  context: LoginContext,
  client: OAuthClient,
  answer: URLSearchParams,
): Promise<void> {
  context.secrets.add([answer.get('code')]);
  const { StreamableHTTPClientTransport } = await importSdk();
  // The SDK checks the issuer of the answer (RFC 9207) before it uses the code.
  const transport = new StreamableHTTPClientTransport(new URL(context.entry.url), {
    ...{ authProvider: client, fetch: authorizationFetch(context, true) },
  });
  await transport.finishAuth(answer);
}

/** Runs the SDK's flow until it has tokens, or the address where the person logs in. */
export async function authorize(flow: LoginFlow, client: OAuthClient): Promise<void> {
  const { auth, extractWWWAuthenticateParams } = await importSdk();
  const { entry, challenge, earlier, scopes } = flow;
  const { resourceMetadataUrl, scope: named } = challenge
    ? extractWWWAuthenticateParams(challenge)
    : {};
  await auth(client, {
    serverUrl: entry.url,
    // The scopes of the entry take the place of those that the server names.
    scope: await scopesFor(earlier, entry.oauth?.scopes.join(' ') || named, scopes),
    resourceMetadataUrl,
    fetchFn: authorizationFetch(flow, true),
    // A refresh would keep the account and the scopes of the earlier login.
    forceReauthorization: true,
  });
  // The browser goes there too.
  if (client.authorizationUrl) await new AddressCheck(entry.url).allow(client.authorizationUrl);
}

/**
 * Listens where the registered client of an earlier login expects the answer, if that port is free.
 * Otherwise the client is registered again, because many servers compare the whole address. The address
 * of a client that the user has registered has the path `/callback`.
 */
async function listen({
  entry,
  earlier,
}: LoginFlow): Promise<{ readonly callback: CallbackServer; readonly login: StoredLogin }> {
  const { clientId, clientMetadataUrl, redirectPort = 0 }: Partial<OAuthEntry> = entry.oauth ?? {};
  const { client } = earlier;
  if (clientId !== undefined || clientMetadataUrl !== undefined) {
    const callback = await openCallbackServer(redirectPort, '/callback');
    return { callback, login: pick(earlier, 'client') };
  }
  const known = URL.parse(String(listIn(client, 'redirect_uris')[0]));
  const isSamePort = redirectPort === 0 || redirectPort === Number(known?.port);
  if (client !== undefined && known !== null && isSamePort) {
    const callback = await openCallbackServer(Number(known.port), known.pathname).catch(() => {});
    if (callback !== undefined) return { callback, login: { client } };
  }
  return { callback: await openCallbackServer(redirectPort), login: {} };
}

const MAX_SCOPES = 50;

/** What a scope may consist of (RFC 6749, section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

/** The scopes of a list, each once. What is no scope is left out. */
export function scopesOf(list: string): string[] {
  const scopes = list.split(/\s+/).filter((scope) => SCOPE.test(scope));
  return [...new Set(scopes)].slice(0, MAX_SCOPES);
}

/** The scopes that a server asks for in an answer 403; `undefined` for other answers. */
export async function missingScope(response: Response): Promise<string | undefined> {
  if (response.status !== 403) return;
  const { extractWWWAuthenticateParams } = await importSdk();
  const { error, scope } = extractWWWAuthenticateParams(response);
  return error === 'insufficient_scope' && scope !== undefined
    ? scopesOf(scope).join(' ') || undefined
    : undefined;
}

/**
 * The scopes to ask for: those of the earlier login, those that the server missed since then, and further
 * ones. `undefined`: none are known.
 */
async function scopesFor(
  { tokens, wantedScope }: StoredLogin,
  usual: string | undefined,
  chosen: readonly string[] = [],
): Promise<string | undefined> {
  const { computeScopeUnion } = await importSdk();
  return computeScopeUnion(tokens?.scope, usual, wantedScope, chosen.join(' '));
}
