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
