import { errorMessage } from '../../../errors.ts';
import { type EndCode, endCodeOf } from '../../events/index.ts';

/** Codes of errors whose message is that of a store. It may name paths, and no model can change anything about it. */
const OF_STORES: readonly EndCode[] = ['session-unavailable', 'session-lost'];

/** What a model is told of a failure of a child. */
export function failureText(error: unknown): string {
  return OF_STORES.includes(endCodeOf(error))
    ? 'Its session cannot be written.'
    : errorMessage(error);
}
