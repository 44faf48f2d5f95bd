import { readEnvelope } from '../tools/envelope.ts';
import { cut } from '../tools/plain-text.ts';
import type { Route } from '../tools/turn.ts';

/** What the SDK is told of a call: a tool of its set, an input, and our words should it fail. */
export interface Told {
  readonly toolName: string;
  readonly input: string;
  readonly error?: string;
  /** Judged only when it runs. */
  readonly isUnjudged?: true;
}

type Refusal = Extract<Route, { kind: 'answer' }>;

/** A call that the SDK refuses without running anything, whatever its input contains. */
export function toldInvalid(toolName: string, input: string, refusal: Refusal): Told {
  return { toolName, input: `not a valid call: ${input}`, error: textOf(refusal) };
}

/** A call of the tool that answers for what the SDK's set has no tool for. */
function toldExecutor(executor: string, name: string, input: unknown): Told {
  return { toolName: executor, input: JSON.stringify({ tool_name: name, arguments: input }) };
}

/** The executor's call of what an envelope, or a native call, asks for, not judged yet. */
export function toldUnjudged(
  executor: string,
  wireName: string,
  input: string,
  nameKey: string | undefined,
): Told {
  if (nameKey === undefined) return toldExecutor(executor, wireName, input);
  const { target = '', given, beside } = readEnvelope(input, nameKey);
  return toldExecutor(executor, target, given.kind === 'object' ? given.value : { ...beside });
}

export function textOf(refusal: Refusal): string {
  return JSON.stringify(refusal.result);
}

/** A tool that exists, but not in this step: the app left it out of `activeTools`. */
export function notOffered(name: string): Refusal {
  const tool = cut(name, 80);
  const message = `${tool} cannot be used in this step. No tool was run.`;
  return {
    kind: 'answer',
    isError: true,
    target: name,
    result: { error: 'tool_not_active', tool, message },
  };
}

/** A tool that became known only now: the SDK has it from the next step on, under its own name. */
export function callAgain(name: string): Refusal {
  const tool = cut(name, 80);
  const message = `${tool} was not known when this step began; it is now. No tool was run.`;
  return {
    kind: 'answer',
    isError: true,
    target: name,
    result: { error: 'call_again', tool, message, next: 'Send the same call again.' },
  };
}

/** An envelope with its name key written twice. */
export function namesTwoTools(name: string): Refusal {
  const message = 'The call names two tools. No tool was run.';
  return {
    kind: 'answer',
    isError: true,
    target: name,
    result: { error: 'malformed_call', message },
  };
}
