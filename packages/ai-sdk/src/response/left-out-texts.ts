import { keptText } from '../messages/index.ts';
import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '../protocol/index.ts';
import type { ResponseCalls } from './incoming.ts';

type StreamPart = LanguageModelV4StreamPart;
type TextChunk = Extract<StreamPart, { type: 'text-start' | 'text-delta' | 'text-end' }>;

/**
 * The content of a response for an answer in JSON. Text beside loads that are answered inside the model
 * call would make the answer's text invalid JSON: messages keep it, and the SDK does not count it as text.
 */
export function withoutTexts(
  content: readonly LanguageModelV4Content[],
  incoming: ResponseCalls | undefined,
): readonly LanguageModelV4Content[] {
  if (!incoming?.inside.count) return content;
  return content.map((part) =>
    part.type === 'text' && (part.text !== '' || part.providerMetadata) ? keptText(part) : part,
  );
}

/**
 * The same for a streamed response. A text that begins like a JSON object or list streams at once. Any
 * other text waits, with the parts after it, until a call or the end of the response shows what it is.
 */
export async function* holdTexts(
  parts: AsyncIterable<StreamPart>,
  incoming: ResponseCalls | undefined,
): AsyncGenerator<StreamPart> {
  let held: StreamPart[] = [];
  /** The held text up to its first letters. */
  let beginning = '';
  /** Texts that are streaming as text. */
  const open = new Set<string>();
  const take = (isKept: boolean): StreamPart[] => {
    const taken = isKept ? withKeptTexts(held) : held;
    for (const part of held) {
      if (part.type === 'text-start' && !isKept) open.add(part.id);
      if (part.type === 'text-end') open.delete(part.id);
    }
    held = [];
    beginning = '';
    return taken;
  };
  for await (const part of parts) {
    if (isText(part) && open.has(part.id)) {
      if (part.type === 'text-end') open.delete(part.id);
      yield part;
    } else if (isText(part)) {
      // The rest of a text whose beginning was left out already.
      const hasStart = held.some((other) => other.type === 'text-start' && other.id === part.id);
      if (!hasStart && part.type === 'text-end') continue;
      if (!hasStart && part.type === 'text-delta') held.push({ type: 'text-start', id: part.id });
      held.push(part);
      if (part.type === 'text-delta' && beginning.trim() === '') {
        beginning += part.delta;
        if (/^\s*[{[]/.test(beginning)) yield* take(false);
      }
    } else if (part.type === 'tool-input-start' || part.type === 'tool-call') {
      const id = part.type === 'tool-call' ? part.toolCallId : part.id;
      const isInside = !part.providerExecuted && incoming?.isInside(id, part.toolName);
      yield* take(isInside ?? false);
      yield part;
    } else if (part.type === 'finish' || part.type === 'error') {
      yield* take((incoming?.inside.count ?? 0) > 0);
      yield part;
    } else if (held.length > 0) held.push(part);
    else yield part;
  }
  yield* take(false);
}

function isText(part: StreamPart): part is TextChunk {
  return part.type === 'text-start' || part.type === 'text-delta' || part.type === 'text-end';
}

/** The parts, with each text as one part that is not text. */
function withKeptTexts(parts: readonly StreamPart[]): StreamPart[] {
  const texts = contentOf(parts.filter(isText));
  return parts.flatMap((part) => {
    if (part.type !== 'text-start') return isText(part) ? [] : part;
    const text = texts.shift();
    const isEmpty = text?.type !== 'text' || (text.text === '' && !text.providerMetadata);
    return isEmpty ? [] : keptText(text);
  });
}

type AnswerText = Extract<LanguageModelV4Content, { type: 'text' | 'reasoning' }>;

/** The content of one streamed response, put together as the SDK does it. */
export function contentOf(parts: Iterable<LanguageModelV4StreamPart>): LanguageModelV4Content[] {
  const content: LanguageModelV4Content[] = [];
  const open = new Map<string, AnswerText>();
  for (const part of parts) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const { providerMetadata } = part;
        const type = part.type === 'text-start' ? 'text' : 'reasoning';
        const text: AnswerText = {
          type,
          text: '',
          ...(providerMetadata ? { providerMetadata } : {}),
        };
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
