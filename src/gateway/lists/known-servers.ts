import type { ServerPool } from '../../mcp/index.ts';
import { within } from '../../time-limit.ts';

/** Milliseconds from the start in which a list waits for servers that are not known yet. */
const PATIENCE = 1500;

/** Milliseconds without news of a server after which it waits no more: if most are known, or only some. */
const SHORT_QUIET = 75;
const LONG_QUIET = 400;
const MOST = 0.75;

/** Waits a moment for servers that were never listed. One that hangs does not hold up the list of the others. */
export async function knownServers(pool: ServerPool, started: number): Promise<void> {
  for (;;) {
    const known = pool.connections.filter(({ listing, state }) => {
      return listing !== undefined || state.kind === 'failed' || state.kind === 'needs-auth';
    });
    const left = started + PATIENCE - performance.now();
    if (left <= 0 || known.length === pool.connections.length) return;
    const quiet = known.length >= MOST * pool.connections.length ? SHORT_QUIET : LONG_QUIET;
    const changed = Promise.withResolvers<true>();
    const stop = pool.onChange(() => changed.resolve(true));
    const isChanged = await within(Math.min(left, quiet), changed.promise);
    stop();
    if (!isChanged && known.length > 0) return;
  }
}
