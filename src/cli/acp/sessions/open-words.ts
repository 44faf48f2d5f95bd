import type { Entry } from '../../../sessions/index.ts';
import { openAnswer } from '../../talks/index.ts';
import type { Words } from './outlet.ts';

/** The words of an answer that a turn which goes on emits again. Undefined if there is none. */
export function openWords(entries: readonly Entry[]): Words | undefined {
  const answer = openAnswer(entries);
  if (!answer) return;
  const of = (type: 'text' | 'reasoning'): string =>
    answer.content.map((part) => (part.type === type ? part.text : '')).join('');
  return { text: of('text'), reasoning: of('reasoning') };
}
