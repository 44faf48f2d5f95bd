import type { ModelMessage } from 'ai';

/** The text parts of a message, joined by line breaks. */
export function textOf({ content }: ModelMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
