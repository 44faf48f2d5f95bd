import { type JsonObject, ownProperties } from '@toolfold/core/internal/tools/values';
import { INTERNAL_ERROR, RpcError } from '../front/index.ts';
import type { Asker } from './asker.ts';

/** Maximum rounds of a request. */
const MAX_ROUNDS = 20;

/** Milliseconds before a request is sent again that asks for nothing but a repetition. */
const PAUSE = 500;

/**
 * Asks a client with a handshake what a server of 2026-07-28 asks as a result, and sends the request again
 * with the answers until there is another result.
 */
export async function withRounds(
  params: JsonObject,
  { ask }: Pick<Asker, 'ask'>,
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
