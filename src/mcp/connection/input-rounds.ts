import { isRecord, ownProperty } from '../../tools/values/index.ts';

/**
 * Answers one request of a server in a call. `signal` fires when the call ends. A rejection ends the
 * call with that error.
 */
export type OnInputRequest = (
  method: string,
  params: unknown,
  signal: AbortSignal,
) => Promise<Record<string, unknown>>;

/** Maximum rounds of a call. */
const MAX_ROUNDS = 10;

/** Milliseconds before a call is sent again that asks for nothing but a repetition. */
const PAUSE = 500;

/**
 * Sends a call, and sends it again with answers as long as the server asks for more (`input_required`,
 * since 2026-07-28). The SDK would do so too, but does not say to which call a request belongs.
 */
export async function withInput(
  answer: OnInputRequest,
  callSignal: AbortSignal | undefined,
  send: (given: object) => Promise<unknown>,
): Promise<unknown> {
  const signal = callSignal ?? new AbortController().signal;
  let result = await send({});
  for (let round = 0; ownProperty(result, 'resultType') === 'input_required'; round++) {
    if (round === MAX_ROUNDS)
      throw new Error(`The server asked for more than ${MAX_ROUNDS} rounds of answers.`);
    const asked = ownProperty(result, 'inputRequests');
    const entries = Object.entries(isRecord(asked) ? asked : {});
    if (entries.length === 0) await pause(signal);
    const inputResponses: Record<string, unknown> = {};
    // One at a time: a user cannot answer two questions at once.
    for (const [key, request] of entries) {
      signal.throwIfAborted();
      const response = await answer(
        String(ownProperty(request, 'method')),
        ownProperty(request, 'params'),
        signal,
      );
      Object.defineProperty(inputResponses, key, { value: response, enumerable: true });
    }
    signal.throwIfAborted();
    const state = ownProperty(result, 'requestState');
    result = await send({
      ...(entries.length === 0 ? {} : { inputResponses }),
      ...(typeof state === 'string' ? { requestState: state } : {}),
    });
  }
  return result;
}

function pause(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, PAUSE);
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(() => clearTimeout(timer));
}
