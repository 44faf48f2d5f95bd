import { JournalState, type OpenAnswer } from '../../agent/journal/index.ts';
import type { Entry } from '../../sessions/index.ts';
import { own } from '../../tools/values/index.ts';

/** Whether the last turn has not ended: its process was killed, or it waits for approval. Then it can go on. */
export function isInterrupted(entries: readonly Entry[]): boolean {
  const begin = entries.findLastIndex(({ kind }) => kind === 'turn');
  if (begin < 0) return false;
  const end = entries.slice(begin).findLast(({ kind, body }) => {
    return kind === 'event' && own(own(body, 'event'), 'type') === 'end';
  });
  return end === undefined || own(own(end.body, 'event'), 'reason') === 'approval';
}

/**
 * The answer whose calls may not have run when its process ended. A turn that goes on begins with it and
 * emits it again. Undefined if there is none.
 */
export function openAnswer(entries: readonly Entry[]): OpenAnswer | undefined {
  const state = new JournalState();
  for (const entry of entries) state.take(entry);
  return state.answer;
}

/** The entries before an answer that will be given again. All entries if there is none. */
export function withoutOpenAnswer(entries: readonly Entry[]): readonly Entry[] {
  if (!openAnswer(entries)) return entries;
  return entries.slice(
    0,
    entries.findLastIndex(({ kind }) => kind === 'model'),
  );
}
