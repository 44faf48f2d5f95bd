import { type JsonObject, listIn, ownProperty } from '@toolfold/core/internal/tools/values';
import { groupOf } from '../../known-tools/index.ts';
import type { ServerConnection } from '../../mcp/index.ts';

/** Maximum groups that an answer names. */
const MOST_NAMED = 10;

const AGAIN =
  'Servers in `not_searched` are still starting. Search again before you say that something is missing.';

/** What a search answers, with the groups that it could not search because their servers are still starting. */
export function withStarting(
  result: JsonObject,
  connections: readonly Pick<ServerConnection, 'name' | 'listing' | 'state'>[],
): JsonObject {
  const starting = connections.filter(
    ({ listing, state: { kind } }) =>
      listing === undefined && (kind === 'idle' || kind === 'connecting'),
  );
  if (starting.length === 0) return result;
  const groups = starting.map(({ name }) => groupOf(name));
  const all = new Set([...listIn(result, 'not_searched'), ...groups]);
  const { next: _, ...others } = result;
  const hint = ownProperty(result, 'next');
  const next = typeof hint === 'string' ? `${hint} ${AGAIN}` : AGAIN;
  return { ...others, not_searched: [...all].slice(0, MOST_NAMED) as string[], next };
}
