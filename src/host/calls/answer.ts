import { errorMessage, ToolfoldError, type ToolfoldErrorCode } from '../../errors.ts';
import type { Route } from '../../tools/calls/index.ts';
import { cut, type JsonObject, sentence } from '../../tools/values/index.ts';

/** What the model is told instead of a result, and why. */
export type Refusal = Extract<Route, { kind: 'answer' }>;

/** The refusal as the model reads it. */
export function textOf(refusal: Refusal): string {
  return JSON.stringify(refusal.result);
}

/** Of a call that a hook denied. */
export function denied(name: string, reason: string): Refusal {
  const message = `${sentence(cut(reason, 400))} The tool was not run.`;
  return refusal(name, { error: 'denied', message });
}

/** Of a call that the user has to approve, where the user cannot be asked any more. */
export function approvalNeeded(name: string, why: string): Refusal {
  return refusal(name, {
    error: 'approval_needed',
    message: `The tool was not run: ${why}`,
    next: 'Call it again if it is still needed; the user will then be asked.',
  });
}

export const NOT_ASKED = 'the user has to approve it first, and has not been asked.';
export const TOOL_CHANGED = 'the tool has changed since the user was asked about it.';
export const ARGUMENTS_CHANGED = 'the arguments are other ones than the user was asked about.';

/** Of a tool that exists, but not in this step: the app left it out of `activeTools`. */
export function notActive(name: string): Refusal {
  const message = `${cut(name, 80)} cannot be used in this step. No tool was run.`;
  return refusal(name, { error: 'tool_not_active', message });
}

/** Of a tool that became known only now: the host has it from the next step on. */
export function callAgain(name: string): Refusal {
  const message = `${cut(name, 80)} was not known when this step began; it is now. No tool was run.`;
  return refusal(name, { error: 'call_again', message, next: 'Send the same call again.' });
}

/** Of an envelope with its name key written twice. */
export function namesTwoTools(name: string): Refusal {
  const result = {
    error: 'malformed_call',
    message: 'The call names two tools. No tool was run.',
  };
  return { kind: 'answer', isError: true, target: name, result };
}

/** Of a tool that has nothing to run it here. */
export function cannotRun(name: string): Refusal {
  return refusal(name, {
    error: 'not_runnable',
    message: `${cut(name, 80)} cannot be run here. No tool was run.`,
  });
}

function refusal(name: string, result: JsonObject): Refusal {
  const { error = null, ...rest } = result;
  return {
    kind: 'answer',
    isError: true,
    target: name,
    result: { error, tool: cut(name, 80), ...rest },
  };
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

/** The code of the error that a refusal is to the host. */
export function codeOf({ result, cause }: Refusal): ToolfoldErrorCode {
  if (cause !== undefined) return 'loader-failed';
  // A repeated failure keeps what it failed of as its cause.
  const error = String(result.error === 'repeated_call' ? result.cause : result.error);
  return (Object.hasOwn(CODES, error) ? CODES[error] : undefined) ?? 'invalid-call';
}

/**
 * The refusal as an error for the host: for people in its message, with the cause; as a text, it is
 * what the model reads, because the AI SDK shows a model a thrown error as its text.
 */
export function errorOf(refusal: Refusal): ToolfoldError {
  const { result, cause, target = '' } = refusal;
  const said = String(result.message ?? result.error);
  const message = target === '' ? said : `${target}: ${said}`;
  const error = new ToolfoldError(codeOf(refusal), message, hintOf(refusal), cause);
  Object.defineProperty(error, 'toString', { value: () => textOf(refusal) });
  return error;
}

function hintOf(refusal: Refusal): string {
  const { result, cause } = refusal;
  switch (codeOf(refusal)) {
    case 'loader-failed':
      return `The loader of group "${String(result.group_id)}" failed: ${errorMessage(cause)}`;
    case 'unknown-tool':
      return 'Compare the name with those of `fold.explain(model).tools`.';
    case 'tool-not-active':
      return 'Name the tool in `activeTools`, or leave `activeTools` out.';
    case 'call-denied':
      return 'A `beforeToolCall` hook, or the app, denied it.';
    case 'approval-needed':
      return 'The user is asked when the model calls the tool again.';
    default:
      return 'The model is told so, and can mend it.';
  }
}
