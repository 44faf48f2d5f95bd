import type { Entry } from '../../../sessions/index.ts';
import { own } from '../../../tools/values/index.ts';
import { openAnswer } from '../../turns/index.ts';
import type { Words } from './outlet.ts';

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
  const answer = openAnswer(entries);
  if (!answer) return;
  const of = (type: 'text' | 'reasoning'): string =>
    answer.content.map((part) => (part.type === type ? part.text : '')).join('');
  return { text: of('text'), reasoning: of('reasoning') };
}
