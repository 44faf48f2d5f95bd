import { setTimeout as delay } from 'node:timers/promises';
import { ownProperties, ownProperty } from '@toolfold/core/internal/tools/values';

/** Answers a request of a server. `signal` fires when nobody wants the answer any more. */
export type AnswerRequest = (
  method: string,
  params: unknown,
  signal: AbortSignal,
) => Promise<Record<string, unknown>>;

const MAX_ROUNDS = 10;

/** Milliseconds before a call is sent again that asks for nothing but a repetition. */
const PAUSE = 500;

/**
 * Sends a call, and sends it again with answers as long as the server asks for more (`input_required`,
 * since 2026-07-28). The SDK would do so too, but does not say to which call a request belongs. A rejection
 * of `answer` ends the call with that error.
 */
export async function withInput(
  answer: AnswerRequest,
  callSignal: AbortSignal | undefined,
  send: (given: object) => Promise<unknown>,
): Promise<unknown> {
  const signal = callSignal ?? new AbortController().signal;
  let result = await send({});
  for (let round = 0; ownProperty(result, 'resultType') === 'input_required'; round++) {
    if (round === MAX_ROUNDS)
      throw new Error(`The server asked for more than ${MAX_ROUNDS} rounds of answers.`);
    const entries = Object.entries(ownProperties(ownProperty(result, 'inputRequests')));
    const state = ownProperty(result, 'requestState');
    if (entries.length === 0 && typeof state !== 'string')
      throw new Error("The server's answer cannot be used: it asks for input, but not for which.");
    if (entries.length === 0) await delay(PAUSE, undefined, { signal }).catch(() => {});
    const inputResponses: Record<string, unknown> = {};
    // One at a time: a user cannot answer two questions at once.
    for (const [key, request] of entries) {
      signal.throwIfAborted();
      const { method, params } = ownProperties(request);
      const response = await answer(String(method), params, signal);
      Object.defineProperty(inputResponses, key, { value: response, enumerable: true });
    }
    signal.throwIfAborted();
    result = await send({
      ...(entries.length > 0 && { inputResponses }),
      ...(typeof state === 'string' && { requestState: state }),
    });
  }
  return result;
}
