import type { JsonObject } from '@toolfold/core/internal/tools/values';
import { AnsweredError } from '../../mcp/transport/index.ts';
import type { Place } from './owners.ts';

/** Milliseconds for one server to read a resource that no server is known to have. */
const TIME = 3000;

/** Milliseconds for all of them. */
const WHOLE_TIME = 10_000;

/**
 * Reads a resource from the first of these servers that has it, one after another. `undefined` if none answers; rejects
 * with the first refusal if all that answer refuse.
 */
export async function readUnlisted(
  places: readonly Place[],
  signal: AbortSignal,
  read: (place: Place, signal: AbortSignal) => Promise<JsonObject>,
): Promise<JsonObject | undefined> {
  const whole = AbortSignal.any([signal, AbortSignal.timeout(WHOLE_TIME)]);
  let refusal: AnsweredError | undefined;
  for (const place of places) {
    if (whole.aborted) break;
    try {
      return await read(place, AbortSignal.any([whole, AbortSignal.timeout(TIME)]));
    } catch (error) {
      // A server that is silent or cannot be used has no resource for anybody.
      if (error instanceof AnsweredError) refusal ??= error;
    }
  }
  signal.throwIfAborted();
  if (refusal) throw refusal;
  return;
}
