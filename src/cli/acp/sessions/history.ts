import { eventsOf, type RebuiltEvent } from '../../../agent/index.ts';
import { JournalState } from '../../../agent/journal/index.ts';
import type { Entry, SessionStore } from '../../../sessions/index.ts';
import { own } from '../../../tools/values/index.ts';
import { allSessions } from '../../sessions/index.ts';
import type { Words } from './outlet.ts';

/** The events of a session and of its subagents, rebuilt from what the store has. */
export async function* historyOf(
  store: SessionStore,
  id: string,
  entries: readonly Entry[],
): AsyncGenerator<RebuiltEvent> {
  const children = new Map<string, readonly Entry[]>();
  for await (const record of allSessions(store, id))
    children.set(record.id.slice(id.length + 1), await store.read(record.id));
  yield* eventsOf(entries, (child) => children.get(child) ?? []);
}

/**
 * Whether the last turn has not ended: its process was killed, or it waits for approval. Then it goes on
 * before the next prompt.
 */
export function isInterrupted(entries: readonly Entry[]): boolean {
  const begin = entries.findLastIndex(({ kind }) => kind === 'turn');
  if (begin < 0) return false;
  const end = entries.slice(begin).findLast(({ kind, body }) => {
    return kind === 'event' && own(own(body, 'event'), 'type') === 'end';
  });
  return end === undefined || own(own(end.body, 'event'), 'reason') === 'approval';
}

/**
 * The words of an answer whose calls may not have run when its process ended. The turn that goes on begins
 * with this answer. Undefined if there is none.
 */
export function openWords(entries: readonly Entry[]): Words | undefined {
  const state = new JournalState();
  for (const entry of entries) state.take(entry);
  if (!state.answer) return;
  const of = (type: 'text' | 'reasoning'): string =>
    state.answer?.content.map((part) => (part.type === type ? part.text : '')).join('') ?? '';
  return { text: of('text'), reasoning: of('reasoning') };
}
