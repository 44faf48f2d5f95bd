import { APICallError, UnsupportedFunctionalityError } from 'ai';
import { plainLine } from '../tools/values/index.ts';

// What gateways and older endpoints answer to fields and headers they do not know. Not 401, 404, 413
// or 429: those say nothing of the form.
const REFUSING: readonly (number | undefined)[] = [400, 403, 422, 501];

// What an error speaks of that is about the form and not about one schema in it: fields and headers
// of the forms, and the words in which they are refused.
const ABOUT_THE_FORM =
  /tool_addition|tool_definition|tool_reference|defer_loading|additional_tools|tool_search|namespace|\bbeta|extra inputs|mid.?conversation|role.{0,20}system|not (supported|permitted|allowed)|unsupported|unknown (field|parameter)|unrecognized/i;

/** A request that was refused for what it appended, perhaps. */
export interface FormRefusal {
  readonly why: string;
  /** The error speaks of the form itself: it will be refused in other conversations too. */
  readonly isAboutForm: boolean;
}

/** Why an endpoint, or the provider itself, may have refused what was appended; undefined for other failures. */
export function refusalIn(error: unknown): FormRefusal | undefined {
  if (UnsupportedFunctionalityError.isInstance(error))
    return { why: plainLine(error.message, 200), isAboutForm: true };
  if (!APICallError.isInstance(error) || !REFUSING.includes(error.statusCode)) return;
  return {
    why: `HTTP ${error.statusCode}: ${plainLine(error.message, 200)}`,
    isAboutForm: ABOUT_THE_FORM.test(error.message),
  };
}

/** Whether trying the same once more may help: the SDK will do so by itself. */
export function isRetryable(error: unknown): boolean {
  return APICallError.isInstance(error) && error.isRetryable;
}
