import type { Route } from '../calls/index.ts';
import { errorMessage, ToolfoldError, type ToolfoldErrorCode } from '../errors.ts';
import { asSentence, type JsonObject, truncate } from '../values/index.ts';
import { shownText } from './input-text.ts';

/** The answer that the model gets in place of a tool's result, with the reason. */
export type Refusal = Extract<Route, { kind: 'answer' }>;

/** The text of the refusal that the model reads. */
export function textOf(refusal: Refusal): string {
  return JSON.stringify(refusal.result);
}

/** The refusal of a call that a hook denied. */
export function denied(name: string, reason: string): Refusal {
  return refusal(name, 'denied', `${asSentence(truncate(reason, 400))} The tool was not run.`);
}

/** The refusal of a call that needs the user's approval, where it is too late to ask the user. */
export function approvalNeeded(name: string, why: string): Refusal {
  const next = 'If the tool is still needed, call it again. The user is asked then.';
  return refusal(name, 'approval_needed', `The tool was not run: ${why}`, { next });
}

/** The refusal of a call that nobody can approve, because its arguments come out differently each time. */
export function notStable(name: string): Refusal {
  const message =
    'The tool was not run: it needs the approval of the user, and its schema makes other arguments of the same input each time. So the user cannot see what would run.';
  const next = 'Do not call it again. Go on without it, and say so.';
  return refusal(name, 'approval_needed', message, { next });
}

/** The refusal of a call whose input was edited after it was permitted. */
export function changedInput(name: string): Refusal {
  const message = `The input of ${truncate(name, 80)} was changed before the tool ran. The tool was not run.`;
  return refusal(name, 'denied', message);
}

/** The reason of a question about a call whose tool has not loaded. */
export const AS_WRITTEN =
  'The arguments are shown as the model wrote them, because the tool has not loaded yet.';

/** Characters that are not drawn, or not where they stand. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}]|(?! )\p{Z}/gu;

/**
 * The reason of a question about a call whose arguments cannot be shown as they are. It is never cut: what is
 * approved is what runs. Surfaces fold it.
 */
export function whatRuns(final: unknown): string {
  const text = shownText(final).replace(
    UNSEEN,
    (unseen) => `\\u{${unseen.codePointAt(0)?.toString(16)}}`,
  );
  return `The arguments cannot be shown as they are. The tool gets ${text}.`;
}

/** The part of a question that says how the arguments differ from those that the model wrote. */
export function whatWasRepaired(repairs: readonly string[]): string {
  return `The arguments were repaired: ${repairs.join('; ')}.`;
}

export const NOT_ASKED = 'it needs the approval of the user, and the user has not been asked.';
export const TOOL_CHANGED = 'the tool has changed since the user was asked about it.';
export const ARGUMENTS_CHANGED = 'the arguments differ from those that the user was asked about.';

/** The refusal of a tool that the app left out of `activeTools` in this step. */
export function notActive(name: string): Refusal {
  const message = `${truncate(name, 80)} cannot be used in this step. No tool was run.`;
  return refusal(name, 'tool_not_active', message);
}

/** The refusal of a tool that became known during this step: the host offers it from the next step on. */
export function callAgain(name: string): Refusal {
  const message = `${truncate(name, 80)} was not known when this step began. It is known now. No tool was run.`;
  return refusal(name, 'call_again', message, { next: 'Send the same call again.' });
}

/** The refusal of an envelope that has its name key twice. */
export function namesTwoTools(name: string): Refusal {
  const message = 'The call names two tools. No tool was run.';
  const result = { error: 'malformed_call', message };
  return { kind: 'answer', isError: true, target: name, result };
}

/** The refusal of a tool that has no `execute` here. */
export function cannotRun(name: string): Refusal {
  const message = `${truncate(name, 80)} cannot be run here. No tool was run.`;
  return refusal(name, 'not_runnable', message);
}

function refusal(name: string, error: string, message: string, more: JsonObject = {}): Refusal {
  const result = { error, tool: truncate(name, 80), message, ...more };
  return { kind: 'answer', isError: true, target: name, result };
}

const CODES: Readonly<Record<string, ToolfoldErrorCode>> = {
  load_failed: 'loader-failed',
  unknown_tool: 'unknown-tool',
  tool_removed: 'unknown-tool',
  tool_missing: 'unknown-tool',
  ambiguous_tool: 'unknown-tool',
  tool_not_active: 'tool-not-active',
  call_again: 'unknown-tool',
  denied: 'call-denied',
  approval_needed: 'approval-needed',
};

/** The error code that the host gets for a refusal. */
export function codeOf({ result, cause }: Refusal): ToolfoldErrorCode {
  if (cause !== undefined) return 'loader-failed';
  // The result of a repeated call names the error of the first failure as `cause`.
  const error = String(result.error === 'repeated_call' ? result.cause : result.error);
  return (Object.hasOwn(CODES, error) ? CODES[error] : undefined) ?? 'invalid-call';
}

const HINTS: { readonly [code in ToolfoldErrorCode]?: string } = {
  'unknown-tool': 'Compare the name with the names in `fold.explain(model).tools`.',
  'tool-not-active': 'Add the tool to `activeTools`, or leave `activeTools` out.',
  'call-denied':
    'A hook or the `toolApproval` of the app denied the call, or its input was changed after it was allowed.',
  'approval-needed': 'The user is asked when the model calls the tool again.',
  'invalid-call': 'The model reads this message and can correct the call.',
};

/**
 * The refusal as an error for the host. `message` and `cause` are for people. `toString()` gives the
 * text for the model, because the AI SDK shows a thrown error to the model as its string.
 */
export function errorOf(refusal: Refusal): ToolfoldError {
  const { result, cause, target = '' } = refusal;
  const text = String(result.message ?? result.error);
  const message = target === '' ? text : `${target}: ${text}`;
  const code = codeOf(refusal);
  const failure = `The loader of group "${String(result.group_id)}" failed: ${errorMessage(cause)}`;
  const error = new ToolfoldError(code, message, HINTS[code] ?? failure, cause);
  Object.defineProperty(error, 'toString', { value: () => textOf(refusal) });
  return error;
}
