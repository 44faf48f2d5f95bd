import { APICallError, UnsupportedFunctionalityError } from 'ai';
import { plainLine } from '../../tools/plain-text.ts';

// What gateways and older endpoints answer to fields and headers they do not know. Not 401, 413 or
// 429: those say nothing of the form.
const REFUSING: readonly (number | undefined)[] = [400, 403, 404, 422, 501];

/** Why an endpoint, or the provider itself, may have refused what was appended; undefined for other failures. */
export function refusalIn(error: unknown): string | undefined {
  if (UnsupportedFunctionalityError.isInstance(error)) return plainLine(error.message, 200);
  if (!APICallError.isInstance(error) || !REFUSING.includes(error.statusCode)) return;
  return `HTTP ${error.statusCode}: ${plainLine(error.message, 200)}`;
}

/** Whether trying the same once more may help: the SDK will do so by itself. */
export function isRetryable(error: unknown): boolean {
  return APICallError.isInstance(error) && error.isRetryable;
}
