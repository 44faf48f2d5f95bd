import { APICallError } from 'ai';
import { retryAfterIn } from '../../time-limit.ts';
import { raceAbort } from '../../tools/values/index.ts';
import { isRetryable } from '../request/index.ts';

/** As in the AI SDK: two more attempts, after two and four seconds unless the response says when. */
const RETRIES = 2;
const FIRST_DELAY = 2_000;
/** The longest time that a response may ask to wait, in milliseconds. */
const MAX_DELAY = 60_000;

/**
 * Sends a later request of a stream again if it may succeed then. The SDK cannot do it: it would repeat
 * the whole model call. Rejects with the last error, or with the signal's reason.
 */
export async function withRetries<T>(
  send: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= RETRIES || !isRetryable(error)) throw error;
      await wait(delayOf(error) ?? FIRST_DELAY * 2 ** attempt, signal);
    }
  }
}

/** The delay that the response asks for, in milliseconds. */
function delayOf(error: unknown): number | undefined {
  if (!APICallError.isInstance(error)) return;
  const delay = retryAfter(error.responseHeaders);
  return delay !== undefined && delay <= MAX_DELAY ? delay : undefined;
}

/**
 * The delay that headers of a response ask for, in milliseconds. OpenAI sends `retry-after-ms` besides
 * `retry-after`.
 */
export function retryAfter(
  headers: Readonly<Record<string, string>> | undefined,
): number | undefined {
  const milliseconds = Number.parseFloat(headers?.['retry-after-ms'] ?? '');
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  return retryAfterIn(headers?.['retry-after'] ?? '');
}

async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  try {
    await raceAbort(promise, signal);
  } finally {
    clearTimeout(timer);
  }
}
