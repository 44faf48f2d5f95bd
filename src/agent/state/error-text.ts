import { errorMessage } from '../../errors.ts';

/** The text of an error as the SDK shows it to the model. For a refusal it is the refusal's answer. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.toString();
  return error === undefined ? 'unknown error' : errorMessage(error);
}
