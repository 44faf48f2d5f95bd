import { fileData } from '@toolfold/ai-sdk/internal/results';
import type { ModelMessage } from 'ai';

/** A part of a message. */
export type Part = Exclude<ModelMessage['content'], string>[number];

/** The parts of messages, in order. A message that is one text has none. */
export function partsOf(messages: readonly ModelMessage[]): readonly Part[] {
  return messages.flatMap(({ content }): readonly Part[] =>
    typeof content === 'string' ? [] : content,
  );
}

/** The text parts of a message, joined by line breaks. */
export function textOf({ content }: ModelMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** The files of messages and of results, as base64. */
export function filesIn(messages: readonly ModelMessage[]): readonly string[] {
  return partsOf(messages).flatMap((part) => {
    const output = part.type === 'tool-result' ? part.output : undefined;
    const parts: readonly object[] = output?.type === 'content' ? output.value : [part];
    return parts.flatMap((one) => fileData(one) ?? []);
  });
}
