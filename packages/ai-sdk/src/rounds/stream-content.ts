import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '../protocol/index.ts';

type Text = Extract<LanguageModelV4Content, { type: 'text' | 'reasoning' }>;

/** The content of one streamed response, put together as the SDK does it. */
export function contentOf(parts: Iterable<LanguageModelV4StreamPart>): LanguageModelV4Content[] {
  const content: LanguageModelV4Content[] = [];
  const open = new Map<string, Text>();
  for (const part of parts) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const { providerMetadata } = part;
        const type = part.type === 'text-start' ? 'text' : 'reasoning';
        const text: Text = { type, text: '', ...(providerMetadata ? { providerMetadata } : {}) };
        open.set(keyOf(part), text);
        content.push(text);
        break;
      }
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end': {
        const text = open.get(keyOf(part));
        if (!text) break;
        if ('delta' in part) text.text += part.delta;
        if (part.providerMetadata) text.providerMetadata = part.providerMetadata;
        break;
      }
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
      case 'custom':
      case 'file':
      case 'reasoning-file':
      case 'source':
        content.push(part);
    }
  }
  return content;
}

/** Texts and thoughts may have the same ids. */
function keyOf({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${type.slice(0, type.lastIndexOf('-'))} ${id}`;
}
