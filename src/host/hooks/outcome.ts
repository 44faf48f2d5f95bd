import { odd, type Reading, read, readPlain } from './read-answer.ts';

/** The output of a tool, or the error that it threw. */
export type CallOutcome = { readonly output: unknown } | { readonly error: unknown };

/** The outcome of a run. Never rejects. */
export async function outcomeOf(run: () => unknown): Promise<CallOutcome> {
  try {
    return { output: await run() };
  } catch (error) {
    return { error };
  }
}

/** Reads an outcome that an `afterToolCall` hook returned. It has exactly one of its keys, with any value. */
export function readOutcome(given: unknown): Reading<CallOutcome> {
  const found = readPlain(given);
  if (found.kind === 'odd') return found;
  const { output, error, ...others } = found.value;
  if (Object.values(others).some((value) => value !== undefined))
    return odd('an object with an unknown key');
  const hasOutput = Object.hasOwn(found.value, 'output');
  if (hasOutput === Object.hasOwn(found.value, 'error'))
    return odd(`an object with ${hasOutput ? 'both' : 'none'} of \`output\` and \`error\``);
  return read(hasOutput ? { output } : { error });
}

/** The error of a call whose result the model must not get. */
export function withheld(why: string): Error {
  return new Error(`The tool ran, but its result is withheld: ${why}`);
}
