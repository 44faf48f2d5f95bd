import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { type JsonObject, ownProperties } from '@toolfold/core/internal/values';
import {
  type ClientRequest,
  INTERNAL_ERROR,
  passedOn,
  RpcError,
} from '../gateway-clients/index.ts';
import type { ServerConnection } from '../server/index.ts';
import {
  type ParkedCalls,
  type RequestRunner,
  withInnerState,
  withOuterState,
} from './parked-calls.ts';
import { checkRequests, directAsker, type RequestAddressee, tokenOf } from './questions.ts';

/** Runs work on the connection that the client of the request uses. */
type Using = (work: (connection: ServerConnection) => Promise<JsonObject>) => Promise<JsonObject>;

/** Sends a client's request to a server, and returns its result as received. */
export function forward(
  incoming: ClientRequest,
  parked: ParkedCalls,
  using: Using,
  params: JsonObject,
): Promise<JsonObject> {
  const { method, era, logLevel, capabilities } = incoming;
  const given = passedOn(params);
  const wantsProgress = tokenOf(incoming) !== undefined;
  const run: RequestRunner = (asker, signal) => {
    const onProgress = (progress: JsonObject): void => asker.progress(progress);
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

/** Maximum rounds of a request. */
const MAX_ROUNDS = 20;

/** Milliseconds before a request is sent again that asks for nothing but a repetition. */
const PAUSE = 500;

/**
 * Asks a client with a handshake what a server of 2026-07-28 asks as a result, and sends the request again
 * with the answers until there is another result.
 */
async function withRounds(
  params: JsonObject,
  { ask }: Pick<RequestAddressee, 'ask'>,
  signal: AbortSignal,
  send: (params: JsonObject) => Promise<JsonObject>,
): Promise<JsonObject> {
  let result = await send(params);
  for (let round = 0; result.resultType === 'input_required'; round++) {
    if (round === MAX_ROUNDS)
      throw new RpcError(INTERNAL_ERROR, `The server asked for more than ${MAX_ROUNDS} rounds.`);
    const questions = Object.entries(ownProperties(result.inputRequests));
    if (questions.length === 0) await new Promise((resolve) => setTimeout(resolve, PAUSE));
    signal.throwIfAborted();
    const answered = questions.map(async ([key, question]) => {
      const { method, params: asked } = ownProperties(question);
      const sent = { method: String(method), params: asked as JsonObject, signal };
      return [key, await ask(sent)] as const;
    });
    const inputResponses = Object.fromEntries(await Promise.all(answered));
    const { requestState } = result;
    result = await send({
      ...params,
      ...(questions.length > 0 && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    });
  }
  return result;
}

/** A call whose failure is a result: the model reads results, and clients rarely show it errors of the protocol. */
export async function failureAsResult(call: Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ToolfoldError)) throw error;
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}
