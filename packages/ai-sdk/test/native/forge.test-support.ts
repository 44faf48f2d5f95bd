import assert from 'node:assert/strict';
import type { ModelMessage } from 'ai';

export type Json = Record<string, unknown>;
type Part = Exclude<ModelMessage['content'], string>[number];

/** A copy of the messages, as another process gets it, and all parts of its contents. */
export function copied(messages: ModelMessage[]): { copy: ModelMessage[]; parts: Part[] } {
  const copy: ModelMessage[] = JSON.parse(JSON.stringify(messages));
  const parts = copy.flatMap(({ content }) => (typeof content === 'string' ? [] : [...content]));
  return { copy, parts };
}

/** Changes the result of the first load: the JSON of an ordinary step, or the text of a model call. */
export function changeResult(parts: readonly Part[], change: (value: Json) => void): void {
  const result = parts.find((part) => part.type === 'tool-result');
  assert.ok(result?.type === 'tool-result');
  const { output } = result;
  assert.ok(output.type === 'json' || output.type === 'text');
  const value = output.type === 'json' ? output.value : JSON.parse(output.value);
  change(value as Json);
  if (output.type === 'text') Object.assign(output, { value: JSON.stringify(value) });
}
