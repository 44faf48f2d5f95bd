import type { JsonObject } from '@toolfold/core/internal/tools/values';
import type { Entry, SessionStore } from '../../sessions/index.ts';
import { textIn } from '../entries/index.ts';
import type { AgentEvent } from '../events/index.ts';
import type { ReceivedAnswer } from './received-answer.ts';

/** Characters of a text that other processes are shown: the last ones. */
const MAX_DRAFT = 20_000;

/** What is open behind the entry `after`, for other processes. Undefined if there is nothing. */
export function draftOf(
  { text, reasoning }: Pick<ReceivedAnswer, 'text' | 'reasoning'>,
  after: number,
): JsonObject | undefined {
  if (text === '' && reasoning === '') return;
  return { after, text: text.slice(-MAX_DRAFT), reasoning: reasoning.slice(-MAX_DRAFT) };
}

/** Kinds of entries behind which the text before them is not open any more. */
const CLOSING: ReadonlySet<string> = new Set(['turn', 'model', 'interrupted']);

/**
 * The answer that another process receives now, as events behind those of the entries of its session. Reasoning and
 * text are joined, and of a long one only its end is there. The process notices within half a second that somebody
 * watches; ask again every second or so, and use what comes in place of what came before.
 */
export async function openEvents(
  store: SessionStore,
  id: string,
  entries: readonly Entry[],
): Promise<readonly AgentEvent[]> {
  const draft = await store.watch(id);
  if (!draft) return [];
  const { after } = draft;
  // An entry that was read meanwhile may hold it.
  const isOver = entries.some(({ seq, kind }) => CLOSING.has(kind) && seq > Number(after));
  if (isOver || typeof after !== 'number') return [];
  return (['reasoning', 'text'] as const).flatMap((type): readonly AgentEvent[] => {
    const text = textIn(draft, type) ?? '';
    return text === '' ? [] : [{ type, text }];
  });
}
