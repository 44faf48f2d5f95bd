import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { JsonObject } from '@toolfold/core/internal/tools/values';

/** A call whose failure is a result: the model reads results, and clients rarely show it errors of the protocol. */
export async function failureAsResult(call: Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ToolfoldError)) throw error;
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}
