import { VERSION } from '../../version.ts';
import type { HttpServerEntry } from '../config/index.ts';
import {
  describeFailure,
  type Failure,
  type HttpAuth,
  importSdk,
  openTransport,
} from '../transport/index.ts';
import { loginNeeded } from './login-needed.ts';

/** Maximum pages of a listing. */
const MAX_PAGES = 1000;

/** What a server did when a client connected once. */
export type Visit =
  | { readonly kind: 'open'; readonly tools: number }
  /** It wants a login. `challenge` is its answer, if it was seen. */
  | { readonly kind: 'login-needed'; readonly challenge: Response | undefined }
  | ({ readonly kind: 'failed' } & Failure);

/** Limits of a visit. */
export interface VisitOptions {
  readonly signal: AbortSignal;
  /** Milliseconds for each request. */
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
  const { Client } = await importSdk();
  const opened = await openTransport(entry, { authProvider: auth });
  const mode = entry.kind === 'http' ? 'auto' : 'legacy';
  const client = new Client(
    { name: 'toolfold', version: VERSION },
    { versionNegotiation: { mode } },
  );
  try {
    await client.connect(opened.transport, { signal, timeout });
    let tools = 0;
    let cursor: string | undefined;
    const hasTools = client.getServerCapabilities()?.tools !== undefined;
    for (let pages = 0; hasTools && pages < MAX_PAGES; pages++) {
      const listed = await client.listTools(cursor === undefined ? {} : { cursor }, {
        signal,
        timeout,
      });
      tools += listed.tools.length;
      cursor = listed.nextCursor;
      if (cursor === undefined) break;
    }
    return { kind: 'open', tools };
  } catch (error) {
    signal.throwIfAborted();
    if (loginNeeded(server, error)) return { kind: 'login-needed', challenge: undefined };
    return {
      kind: 'failed',
      ...(await describeFailure(error, opened, auth?.secrets ?? entry.secrets, entry)),
    };
  } finally {
    await opened.close();
  }
}
