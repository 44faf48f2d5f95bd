import type { TestContext } from 'node:test';
import type { ServerEntry } from '../../src/config/config.ts';
import { ServerRequests } from '../../src/requests/server-requests.ts';
import type { ConnectionOptions } from '../../src/server/link.ts';
import type { Manifest } from '../../src/server/manifest.ts';
import { ServerConnection } from '../../src/server/server-connection.ts';
import type { PoolEvent } from '../../src/server/state.ts';

/** A connection outside a pool, closed after the test, with what it has reported. */
export interface Observed {
  readonly connection: ServerConnection;
  readonly events: PoolEvent[];
  readonly listed: Manifest[];
}

/** The requests of a server whose host can do nothing. */
export function requestsOf(
  server: string,
  onWarning: (text: string) => void = () => {},
): ServerRequests {
  return new ServerRequests({ server, secrets: [], host: {}, sampling: () => false, onWarning });
}

export function observe(
  context: TestContext,
  entry: ServerEntry,
  options: Partial<ConnectionOptions> & {
    readonly manifest?: Manifest;
    readonly name?: string;
  } = {},
): Observed {
  const events: PoolEvent[] = [];
  const listed: Manifest[] = [];
  const { manifest, name = 'odd', ...others } = options;
  const connection = new ServerConnection(name, entry, manifest, {
    isTrusted: () => false,
    idleTime: 600_000,
    onEvent: (event) => events.push(event),
    onChange: () => {},
    onListed: (one) => listed.push(one),
    requests: requestsOf(name, (text) => events.push({ kind: 'warning', server: name, text })),
    ...others,
  });
  context.after(() => connection.close());
  return { connection, events, listed };
}

/** A connection that has tried to start. */
export async function started(
  context: TestContext,
  entry: ServerEntry,
  startTimeout?: number,
): Promise<ServerConnection> {
  const { connection } = observe(context, entry, { startTimeout });
  await connection.start();
  return connection;
}
