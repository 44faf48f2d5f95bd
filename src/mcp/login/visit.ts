import type { HttpServerEntry } from '../config/index.ts';
import { ConnectError, openConnection } from '../connection/index.ts';
import { type Failure, type HttpAuth, importSdk } from '../transport/index.ts';
import { loginNeeded } from './login-needed.ts';

/** What a server did when a client connected once. */
export type Visit =
  | { readonly kind: 'open'; readonly tools: number }
  /** It wants a login. `challenge` is its answer, if it was seen. */
  | { readonly kind: 'login-needed'; readonly challenge: Response | undefined }
  | ({ readonly kind: 'failed' } & Failure);

/** Limits of a visit. */
export interface VisitOptions {
  readonly signal: AbortSignal;
  /** Milliseconds for the visit. */
  readonly timeout: number;
}

/** Connects to a server without a token, to see whether it wants a login. Rejects if the signal aborts. */
export async function visitWithout(
  server: string,
  entry: HttpServerEntry,
  options: VisitOptions,
): Promise<Visit> {
  const { UnauthorizedError } = await importSdk();
  let challenge: Response | undefined;
  const auth: HttpAuth = {
    secrets: entry.secrets,
    token: async () => undefined,
    onUnauthorized: async ({ response }) => {
      challenge = response;
      throw new UnauthorizedError();
    },
    rejected: () => {},
  };
  const visit = await visitWith(server, entry, auth, options);
  return visit.kind === 'login-needed' ? { ...visit, challenge } : visit;
}

/** Connects to a server once, counts its tools, and ends the connection. Rejects if the signal aborts. */
export async function visitWith(
  server: string,
  entry: HttpServerEntry,
  auth: HttpAuth | undefined,
  { signal, timeout }: VisitOptions,
): Promise<Visit> {
  try {
    const live = await openConnection(entry, { signal, timeout, authProvider: auth });
    const tools = live.listing.tools.length;
    await live.close();
    return { kind: 'open', tools };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ConnectError)) throw error;
    await error.cleanedUp;
    return loginNeeded(server, error.cause)
      ? { kind: 'login-needed', challenge: undefined }
      : { kind: 'failed', ...error.failure };
  }
}
