import { ToolfoldError } from '../../errors.ts';
import { pick } from '../../tools/values/index.ts';
import type { ServerEntry } from '../config/index.ts';
import { authorizationFetch } from './authorization-fetch.ts';
import { hasState } from './callback/index.ts';
import { KnownSecrets } from './known-secrets.ts';
import { canLogIn, type LoginContextOptions, ownerOf } from './login-entry.ts';
import { loginError, noLogin } from './login-failure.ts';
import { authorize, finish, type LoginFlow } from './login-flow.ts';
import { OAuthClient } from './oauth-client.ts';
import { LoginStore, type StoredLogin } from './store/index.ts';
import type { RenewalContext } from './token-renewal.ts';

/**
 * Prepares a login whose answer goes to an address of the host, and keeps what is needed to finish it.
 * Returns where the person logs in; `undefined` if the authorization server cannot be asked. A login that
 * was prepared before stays valid.
 */
export async function prepareLogin(
  context: RenewalContext,
  redirectUrl: string,
  challenge: Response,
): Promise<string | undefined> {
  const { store } = context;
  const earlier = await store.read();
  if (earlier.pending?.redirectUrl === redirectUrl) return earlier.pending.url;
  // A client that registered itself may be known with another address.
  const kept = context.entry.oauth?.clientId === undefined ? {} : pick(earlier, 'client');
  const flow = flowOf(context, earlier, challenge);
  const client = new OAuthClient({ ...flow, login: kept, redirectUrl });
  try {
    await authorize(flow, client);
    const { pending, login } = client;
    if (pending === undefined) return undefined;
    await store.write({ ...login, pending });
    return pending.url;
  } catch {
    // That a login is needed is reported in any case.
    return undefined;
  }
}

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
  if (!canLogIn(entry)) throw noLogin(server, entry);
  const store = new LoginStore(ownerOf(server, entry), options);
  const earlier = await store.read();
  const { pending } = earlier;
  if (pending === undefined || !hasState(answer, pending.state)) {
    throw new ToolfoldError(
      'invalid-option',
      `No login to ${server} waits for this answer.`,
      'Start the login again.',
    );
  }
  const secrets = new KnownSecrets(entry.secrets);
  const { now = Date.now, requestTimeout } = options;
  const flow = flowOf({ server, entry, store, secrets, now, requestTimeout }, earlier, undefined);
  const { redirectUrl } = pending;
  const client = new OAuthClient({ ...flow, login: earlier, redirectUrl });
  try {
    await finish(flow, client, answer);
  } catch (error) {
    // A code is valid once. The next request prepares another login.
    const { pending: _, ...rest } = earlier;
    await store.write(rest);
    throw loginError(server, error, secrets);
  }
  await store.write(client.login);
}

function flowOf(
  { entry, secrets, now, requestTimeout: timeout }: RenewalContext,
  earlier: StoredLogin,
  challenge: Response | undefined,
): LoginFlow {
  const fetch = authorizationFetch({ entry, secrets, timeout, throwsRefusals: true });
  return { entry, secrets, fetch, now, earlier, challenge };
}
