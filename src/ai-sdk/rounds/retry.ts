import { APICallError } from 'ai';
import { retryAfterIn } from '../../time-limit.ts';
import { ownProperties, ownProperty, raceAbort } from '../../tools/values/index.ts';
import { isRetryable } from '../request/index.ts';

/** As in the AI SDK: two more attempts, after two and four seconds unless the response says when. */
const RETRIES = 2;
const FIRST_DELAY = 2_000;
/** A time that a response must not ask to wait, in milliseconds. */
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
      const delay = retryDelay(error, attempt);
      if (delay === undefined) throw error;
      await wait(delay, signal);
    }
  }
}

/**
 * Milliseconds after which a request that failed is sent again, as the AI SDK counts them. Undefined if it is not.
 * `attempt`: how often it was sent again already.
 */
export function retryDelay(
  error: unknown,
  attempt: number,
  retries: number = RETRIES,
): number | undefined {
  if (attempt >= retries || !isRetryable(error) || isQuotaUsedUp(error)) return;
  const failed = APICallError.isInstance(error) ? error : ownProperty(error, 'cause');
  const asked = APICallError.isInstance(failed) ? retryAfter(failed.responseHeaders) : undefined;
  return asked !== undefined && asked < MAX_DELAY ? asked : FIRST_DELAY * 2 ** attempt;
}

/**
 * Whether the quota of the plan is used up, in the words of OpenAI and of servers with its format. The AI SDK would
 * send the request again, as for each status 429.
 */
export function isQuotaUsedUp(error: unknown): boolean {
  const data = ownProperty(error, 'data');
  const { code, type } = ownProperties(ownProperty(data, 'error') ?? data);
  return code === 'insufficient_quota' || type === 'insufficient_quota';
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
