import type { TestContext } from 'node:test';
import type { SamplingSettings } from '@toolfold/config/internal/settings/settings.ts';
import type { UsableEntry } from '../../src/config/config.ts';
import type { RequestOptions } from '../../src/requests/calls-in-flight.ts';
import { ServerRequests } from '../../src/requests/server-requests.ts';
import type { ServerConnection } from '../../src/server/server-connection.ts';
import type { PoolEvent } from '../../src/server/state.ts';
import { observe } from '../server/server-connection.test-support.ts';

/** A connection whose host can do what the options say, and the warnings about its requests. */
export interface Asked {
  readonly connection: ServerConnection;
  readonly warnings: string[];
  readonly events: readonly PoolEvent[];
}

export function asked(
  context: TestContext,
  entry: UsableEntry,
  host: RequestOptions,
  sampling: SamplingSettings | boolean = false,
): Asked {
  const warnings: string[] = [];
  const requests = new ServerRequests({
    server: 'odd',
    secrets: entry.secrets,
    host,
    sampling: () => sampling,
    onWarning: (text) => warnings.push(text),
  });
  return { ...observe(context, entry, { requests }), warnings };
}

/** The JSON in the text of a result. */
export function jsonOf(result: unknown): unknown {
  const { content } = result as { content: readonly { text: string }[] };
  return JSON.parse(content[0]?.text ?? 'null');
}
