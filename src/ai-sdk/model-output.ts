import type { Tool as SdkTool } from 'ai';

export type ModelOutput = Awaited<ReturnType<NonNullable<SdkTool['toModelOutput']>>>;

/** A surrogate that stands alone, as JSON writes it. Anthropic refuses requests that hold one. */
const LONE_SURROGATE = /\\ud[89a-f][0-9a-f]{2}/i;

/** What the model is shown of a result whose tool has no wish of its own: as the SDK shows it. */
export function plainOutput(output: unknown): ModelOutput {
  if (typeof output === 'string') return { type: 'text', value: output.toWellFormed() };
  const text = JSON.stringify(output);
  if (text === undefined) return { type: 'json', value: null };
  return { type: 'json', value: JSON.parse(text, LONE_SURROGATE.test(text) ? repair : undefined) };
}

function repair(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
