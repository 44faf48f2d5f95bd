import type { HttpServerEntry } from '../config/index.ts';
import { ConnectError, type OpenOptions, openConnection } from '../connection/index.ts';
import { type Failure, type HttpAuth, importSdk } from '../transport/index.ts';
import { loginNeeded } from './login-needed.ts';

/** What a server did when a client connected once. */
export type Visit =
  | { readonly kind: 'open'; readonly tools: number }
  /** It wants a login. `challenge` is its answer, if it was seen. */
  | { readonly kind: 'login-needed'; readonly challenge: Response | undefined }
  | ({ readonly kind: 'failed' } & Failure);

/**
 * Connects to a server once, counts its tools, and ends the connection. Without `auth`, to see whether it wants
 * a login. Rejects if the signal aborts.
 */
export async function visit(
  server: string,
  entry: HttpServerEntry,
  limits: Required<Pick<OpenOptions, 'signal' | 'timeout'>>,
  auth?: HttpAuth,
): Promise<Visit> {
  const { UnauthorizedError } = await importSdk();
  let challenge: Response | undefined;
  const none: HttpAuth = {
    secrets: entry.secrets,
    token: async () => undefined,
    onUnauthorized: async ({ response }) => {
      challenge = response;
      throw new UnauthorizedError();
    },
    rejected: () => {},
  };
  try {
    const live = await openConnection(entry, { ...limits, authProvider: auth ?? none });
    const tools = live.listing.tools.length;
    await live.close();
    return { kind: 'open', tools };
  } catch (error) {
    limits.signal.throwIfAborted();
    if (!(error instanceof ConnectError)) throw error;
    await error.cleanedUp;
    return loginNeeded(server, error.cause)
      ? { kind: 'login-needed', challenge }
      : { kind: 'failed', ...error.failure };
  }
}
