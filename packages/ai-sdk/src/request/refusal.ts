import { ownProperty, plainLine } from '@toolfold/core/internal/tools/values';
import { APICallError, UnsupportedFunctionalityError } from 'ai';

// The statuses of gateways and older endpoints for unknown fields and headers. Not 401, 404, 413 or
// 429: these do not depend on the form.
const REFUSING: readonly (number | undefined)[] = [400, 403, 422, 501];

// Words in an error that is about the form and not about a single schema: fields and headers of the
// forms, and common phrases of refusal.
const ABOUT_THE_FORM =
  /tool_addition|tool_definition|tool_reference|defer_loading|additional_tools|tool_search|namespace|\bbeta|extra inputs|mid.?conversation|role.{0,20}system|not (supported|permitted|allowed)|unsupported|unknown (field|parameter)|unrecognized/i;

/** A failure that may be caused by the appended tools. */
export interface FormRefusal {
  readonly why: string;
  /** The error is about the form itself, so other conversations would fail too. */
  readonly isAboutForm: boolean;
}

/** Why an endpoint or the AI SDK's provider may have refused the appended tools; undefined for other failures. */
export function refusalIn(error: unknown): FormRefusal | undefined {
  if (UnsupportedFunctionalityError.isInstance(error))
    return { why: plainLine(error.message, 200), isAboutForm: true };
  if (!APICallError.isInstance(error) || !REFUSING.includes(error.statusCode)) return;
  return {
    why: `HTTP ${error.statusCode}: ${plainLine(error.message, 200)}`,
    isAboutForm: ABOUT_THE_FORM.test(error.message),
  };
}

/** Whether the same request may succeed later. The SDK retries it by itself, also after errors of its gateway. */
export function isRetryable(error: unknown): boolean {
  return ownProperty(error, 'isRetryable') === true;
}
