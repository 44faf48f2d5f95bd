import { keptText } from '../metadata/index.ts';
import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '../protocol/index.ts';
import type { Incoming } from '../response/index.ts';
import { contentOf } from './stream-content.ts';

type Part = LanguageModelV4StreamPart;
type TextPart = Extract<Part, { type: 'text-start' | 'text-delta' | 'text-end' }>;

/**
 * The content of a response for an answer in JSON. Text beside loads that are answered inside the model
 * call would make the answer's text invalid JSON: messages keep it, and the SDK does not count it as text.
 */
export function withoutTexts(
  content: readonly LanguageModelV4Content[],
  incoming: Incoming | undefined,
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
  parts: AsyncIterable<Part>,
  incoming: Incoming | undefined,
): AsyncGenerator<Part> {
  let held: Part[] = [];
  /** The held text up to its first letters. */
  let beginning = '';
  /** Texts that are streaming as text. */
  const open = new Set<string>();
  const take = (isKept: boolean): Part[] => {
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

function isText(part: Part): part is TextPart {
  return part.type === 'text-start' || part.type === 'text-delta' || part.type === 'text-end';
}

/** The parts, with each text as one part that is not text. */
function withKeptTexts(parts: readonly Part[]): Part[] {
  const texts = contentOf(parts.filter(isText));
  return parts.flatMap((part) => {
    if (part.type !== 'text-start') return isText(part) ? [] : part;
    const text = texts.shift();
    const isEmpty = text?.type !== 'text' || (text.text === '' && !text.providerMetadata);
    return isEmpty ? [] : keptText(text);
  });
}
