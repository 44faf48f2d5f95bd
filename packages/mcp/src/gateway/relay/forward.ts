import type { JsonObject } from '@toolfold/core/internal/tools/values';
import type { ServerConnection } from '../../mcp/index.ts';
import { type Incoming, passedOn } from '../front/index.ts';
import { directAsker, tokenOf } from './asker.ts';
import { checkRequests } from './declared.ts';
import { type ParkedCalls, type Run, withInnerState, withOuterState } from './parked-calls.ts';
import { withRounds } from './rounds.ts';

/** Runs work on the connection that the client of the request uses. */
export type Using = (
  work: (connection: ServerConnection) => Promise<JsonObject>,
) => Promise<JsonObject>;

/** Sends a client's request to a server, and returns its result as received. */
export function forward(
  incoming: Incoming,
  parked: ParkedCalls,
  using: Using,
  params: JsonObject,
): Promise<JsonObject> {
  const { method, era, logLevel, capabilities } = incoming;
  const given = passedOn(params);
  const wantsProgress = tokenOf(incoming) !== undefined;
  const run: Run = (asker, signal) => {
    const onProgress = (told: JsonObject): void => asker.progress(told);
    const options = {
      ...{ signal, addressee: asker },
      onPlace: (giveBack: () => void) => asker.onPlace(giveBack),
      ...(wantsProgress && { onProgress }),
      // A client with a handshake has set its level, or wants everything.
      ...(era === 'legacy' && { logLevel: logLevel === 'all' ? 'debug' : logLevel }),
    };
    return using(async (connection) => {
      const send = async (sent: JsonObject): Promise<JsonObject> => {
        const result = await connection.request(method, sent, options);
        checkRequests(result, capabilities);
        return result;
      };
      if (era === 'legacy') return withRounds(given, asker, signal, send);
      return withOuterState(await send(withInnerState(given)));
    });
  };
  if (era === 'modern') return parked.start(incoming, run);
  return run(directAsker(incoming), incoming.signal);
}
