import type { UserContent } from 'ai';

/** An image or another file of a message, as base64. */
export interface MessageFile {
  readonly type: 'file';
  readonly data: string;
  readonly mediaType: string;
  readonly filename?: string;
}

/** What is sent of a message. */
export function contentOf(message: {
  readonly text: string;
  readonly files?: readonly MessageFile[] | undefined;
}): UserContent {
  const { text, files = [] } = message;
  if (files.length === 0) return text;
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...files];
}
