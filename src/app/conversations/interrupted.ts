import { readTranscript } from '../../agent/transcript/index.ts';
import type { Entry } from '../../sessions/index.ts';
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
