import { APICallError } from 'ai';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import type { ModelIdentity } from '../../models/index.ts';
import type { TurnError } from '../events/index.ts';

/** Characters of the provider's own words. */
const MAX_WORDS = 300;

const HINT =
  'Check the key that the provider was given: whether it is whole, valid, and may use this model.';

/**
 * Whatever was thrown, as an error. A refused key (401 or 403) says which provider, at which
 * address and what to do; `hint` where the caller knows better where the key comes from.
 */
export function turnError(error: unknown, model: ModelIdentity, hint: string = HINT): TurnError {
  if (APICallError.isInstance(error) && (error.statusCode === 401 || error.statusCode === 403)) {
    return new ToolfoldError(
      'model-refused',
      `The provider ${model.provider.split('.')[0]} refused the request for ${model.modelId} with status ${error.statusCode} at ${publicUrl(error.url)}${words(error)}.`,
      hint,
      error,
    );
  }
  return error instanceof Error ? error : new Error(errorMessage(error), { cause: error });
}

/** The address without user, password, query and fragment: each may hold a key. */
export function publicUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.origin}${parsed.pathname}` : 'an address that is not a URL';
}

function words({ message }: APICallError): string {
  const said = message
    .trim()
    .slice(0, MAX_WORDS)
    .replace(/[.\s]+$/, '');
  return said === '' ? '' : `: ${said}`;
}
