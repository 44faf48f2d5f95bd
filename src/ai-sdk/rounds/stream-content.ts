import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '../protocol/index.ts';

type Text = Extract<LanguageModelV4Content, { type: 'text' | 'reasoning' }>;

/** The content of one streamed response, put together as the SDK does it. */
export class StreamContent {
  readonly parts: LanguageModelV4Content[] = [];
  readonly #open = new Map<string, Text>();

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#begin(part.type === 'text-start' ? 'text' : 'reasoning', part);
        return;
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end': {
        const text = this.#open.get(keyOf(part));
        if (!text) return;
        if ('delta' in part) text.text += part.delta;
        if (part.providerMetadata) text.providerMetadata = part.providerMetadata;
        return;
      }
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
      case 'custom':
      case 'file':
      case 'reasoning-file':
      case 'source':
        this.parts.push(part);
        return;
      default:
        return;
    }
  }

  #begin(
    type: Text['type'],
    part: Extract<LanguageModelV4StreamPart, { type: 'text-start' | 'reasoning-start' }>,
  ): void {
    const { providerMetadata } = part;
    const text: Text = { type, text: '', ...(providerMetadata ? { providerMetadata } : {}) };
    this.#open.set(keyOf(part), text);
    this.parts.push(text);
  }
}

/** Texts and thoughts may have the same ids. */
function keyOf({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${type.slice(0, type.lastIndexOf('-'))} ${id}`;
}
