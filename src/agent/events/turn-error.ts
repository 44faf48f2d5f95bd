import { APICallError } from 'ai';
import { errorMessage, ToolfoldError } from '../../errors.ts';
import type { ModelIdentity } from '../../models/index.ts';
import type { TurnError } from './events.ts';

/** The maximum length of the provider's message. */
const MAX_WORDS = 300;

const HINT =
  'Check that the API key of the provider is complete and valid, and that it may use this model.';

/**
 * Converts a thrown value to an error. For a refused key (status 401 or 403) the error names the
 * provider and its address. `hint` replaces the default hint.
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

/** The address without user, password, query and fragment, because each may contain a key. */
export function publicUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.origin}${parsed.pathname}` : 'an address that is not a URL';
}

function words({ message }: APICallError): string {
  const text = message
    .trim()
    .slice(0, MAX_WORDS)
    .replace(/[.\s]+$/, '');
  return text === '' ? '' : `: ${text}`;
}
