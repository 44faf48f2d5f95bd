import { JournalState, type OpenAnswer } from '../../agent/journal/index.ts';
import { readTranscript } from '../../agent/transcript/index.ts';
import { type Entry, MISSING_ENTRY } from '../../sessions/index.ts';
import { ownProperty } from '../../tools/values/index.ts';
import { formatCount } from '../terminal/index.ts';

/** Whether the last turn has not ended: its process was killed, or it waits for approval. Then it can go on. */
export function isInterrupted(entries: readonly Entry[]): boolean {
  const begin = entries.findLastIndex(({ kind }) => kind === 'turn');
  if (begin < 0) return false;
  const end = entries.slice(begin).findLast(({ kind, body }) => {
    return kind === 'event' && ownProperty(ownProperty(body, 'event'), 'type') === 'end';
  });
  return end === undefined || ownProperty(ownProperty(end.body, 'event'), 'reason') === 'approval';
}

/**
 * The answer whose calls may not have run when its process ended. A turn that goes on begins with it and
 * emits it again. Undefined if there is none, and in a session with lost entries, which cannot go on.
 */
export function openAnswer(entries: readonly Entry[]): OpenAnswer | undefined {
  if (entries.some(({ kind }) => kind === MISSING_ENTRY)) return;
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

/** What a session has open, in words: calls that wait, and calls that may have taken effect. */
export function openFacts(entries: readonly Entry[]): readonly string[] {
  const { open } = readTranscript(entries);
  const count = (kind: string) => open.filter(({ state }) => state === kind).length;
  const [waiting, unknown] = [count('waiting'), count('unknown')];
  return [
    ...(waiting === 0 ? [] : [`Waiting for your approval: ${formatCount(waiting, 'call')}`]),
    ...(unknown === 0 ? [] : [`Started, with an unknown outcome: ${formatCount(unknown, 'call')}`]),
  ];
}
