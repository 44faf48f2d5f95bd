import type { AssistantModelMessage, ModelMessage } from 'ai';
import { isNotePart, readResponseNote } from '../../ai-sdk/metadata/index.ts';
import { KEY } from '../../host/index.ts';
import type { Result } from './digest.ts';

type Part = Exclude<AssistantModelMessage['content'], string>[number];

/**
 * The messages that stay, without what belongs to their epoch: its fingerprint, notices, and preloaded
 * schemas. The next request begins a new epoch, which shows what is true then. Of notes only the texts
 * of results stay, except for results that became digests.
 */
export function withoutEpoch(
  messages: readonly ModelMessage[],
  digestedIds: ReadonlySet<string>,
): ModelMessage[] {
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return [message];
    const content = message.content.flatMap((part) => withoutNotices(part, digestedIds));
    // An answer without content is refused by providers.
    return content.length > 0 ? [{ ...message, content }] : [];
  });
}

function withoutNotices(part: Part, digestedIds: ReadonlySet<string>): readonly Part[] {
  if (!isNotePart(part)) return [part];
  const note = readResponseNote(part.providerOptions);
  const kept: Record<string, object> = {};
  for (const kind of ['errors', 'outputs'] as const) {
    const texts = Object.entries(note?.[kind] ?? {}).filter(([id]) => !digestedIds.has(id));
    if (texts.length > 0) kept[kind] = Object.fromEntries(texts);
  }
  if (Object.keys(kept).length === 0) return [];
  return [{ ...part, providerOptions: { [KEY]: kept } } as Part];
}

/** The results of tools, in order, with the indexes of their messages. `isReal`: whether a name is that of a tool and not of a bridge tool. */
export function resultsIn(
  messages: readonly ModelMessage[],
  isReal: (name: string) => boolean,
): { readonly index: number; readonly result: Result }[] {
  return messages.flatMap(({ role, content }, index) => {
    if (role !== 'tool') return [];
    return content.flatMap((part) =>
      part.type === 'tool-result' && isReal(part.toolName) ? [{ index, result: part }] : [],
    );
  });
}
