import type { Tool as SdkTool } from 'ai';
import { errorMessage } from '../../errors.ts';

export type ModelOutput = Awaited<ReturnType<NonNullable<SdkTool['toModelOutput']>>>;

/** Half of a surrogate pair, as `JSON.stringify` writes it; it escapes no whole one. */
const HALF = /\\ud[89a-f]/;
const ESCAPE = /\\(?:(ud[89a-f][0-9a-f]{2})|.)/g;

/**
 * What the model is shown of a result whose tool has no wish of its own: text as text, else JSON. It is
 * decided by what JSON makes of the result, so that it is the same once the messages have been stored.
 * What JSON cannot hold (a `bigint`, an object that holds itself) is an error that says so: the tool has run.
 */
export function plainOutput(output: unknown): ModelOutput {
  try {
    const value = JSON.parse(JSON.stringify(output) ?? 'null');
    return typeof value === 'string' ? { type: 'text', value } : { type: 'json', value };
  } catch (error) {
    const why = errorMessage(error).split('\n')[0];
    return {
      type: 'error-text',
      value: `The tool has run. Its result cannot be shown, as it cannot be written as JSON: ${why}`,
    };
  }
}

/**
 * The value with every half of a surrogate pair replaced by U+FFFD, in keys and texts: Anthropic
 * refuses requests that hold one. The same object where there is none. `value` has to be JSON.
 */
export function wellFormed<T>(value: T): T {
  const text = JSON.stringify(value) ?? '';
  if (!HALF.test(text)) return value;
  return JSON.parse(
    text.replace(ESCAPE, (found, half) => (half === undefined ? found : '\\ufffd')),
  );
}
