import type { Entry } from '@toolfold/agent/internal/sessions';
import type { Question } from '../questions/index.ts';
import { formatCount } from '../terminal/index.ts';
import { readTranscript } from '../transcript/index.ts';

/** Whether the last turn has not ended: its process was killed, or it waits for approval. Then it can go on. */
export function isInterrupted(entries: readonly Entry[]): boolean {
  const from = entries.findLastIndex(({ kind, body }) => kind === 'turn' && body.how === 'send');
  const { turns, end } = readTranscript(entries.slice(Math.max(0, from)));
  return turns > 0 && (end === undefined || end.reason === 'approval');
}

/** The question whether such a turn goes on, with what it has open. */
export function continueQuestion(entries: readonly Entry[]): Question {
  const { open } = readTranscript(entries);
  const fact = (kind: string, words: string): string[] => {
    const count = open.filter(({ state }) => state === kind).length;
    return count === 0 ? [] : [`  ${words}: ${formatCount(count, 'call')}`];
  };
  return {
    kind: 'continue',
    subject: 'The last turn stopped in its middle.',
    details: [
      ...fact('waiting', 'Waiting for your approval'),
      ...fact('unknown', 'Started, with an unknown outcome'),
    ],
    text: 'Go on with it?',
    choices: [
      { id: 'yes', label: 'Yes, go on', line: { letters: 'y', words: 'yes' } },
      { id: 'no', label: 'No, not now', line: { letters: 'n', words: 'no' } },
    ],
    marked: 'yes',
  };
}
