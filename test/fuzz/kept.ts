import type { ModelMessage } from 'ai';

/** Calls, results and text that messages hold. */
export interface Kept {
  readonly calls: readonly string[];
  readonly results: readonly string[];
  readonly text: string;
}

/** Calls, results and text in messages, without calls that the provider runs. */
export function keptIn(messages: readonly ModelMessage[]): Kept {
  const calls: string[] = [];
  const results: string[] = [];
  let text = '';
  for (const { role, content } of messages) {
    if (typeof content === 'string') {
      if (role === 'assistant') text += content;
      continue;
    }
    for (const part of content) {
      // A load inside a model call is shown as the provider's own.
      const isOurs = part.type === 'tool-call' && part.providerOptions?.toolfold !== undefined;
      if (part.type === 'tool-call' && (isOurs || !part.providerExecuted))
        calls.push(part.toolCallId);
      if (part.type === 'tool-result') results.push(part.toolCallId);
      if (part.type === 'text' && role === 'assistant') text += part.text;
    }
  }
  return { calls, results, text };
}

/** The items of the first list that the second lacks, counted with repetitions. */
export function lacking<T>(wanted: readonly T[], found: readonly T[]): T[] {
  const left = [...found];
  return wanted.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
