import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { checkKnown, type KnownOptions } from '@toolfold/core/internal/tools/names';
import { pick } from '@toolfold/core/internal/tools/values';
import type { ServerEntry } from '../config/index.ts';
import { hasState } from './callback/index.ts';
import { type LoginContext, type LoginContextOptions, loginContext } from './login-context.ts';
import { loginError } from './login-failure.ts';
import { authorize, finish } from './login-flow.ts';
import { OAuthClient } from './oauth-client.ts';

/**
 * Prepares a login whose answer goes to an address of the host, and keeps what is needed to finish it.
 * Returns where the person logs in; `undefined` if the authorization server cannot be asked. A login that
 * was prepared before stays valid.
 */
export async function prepareLogin(
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
