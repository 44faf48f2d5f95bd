import type { AskedUnknownCall, UnknownChoice } from '@toolfold/agent/internal/agent';
import type { Answer, Question } from '../questions/index.ts';
import { MAX_ARGUMENTS, subjectOf } from './steps/index.ts';
import { visibleArguments } from './visible-arguments.ts';

/** The question about a call that had started when its process ended. The mark begins where nothing runs. */
export function unknownQuestion(call: Omit<AskedUnknownCall, 'signal'>): Question {
  const { id, name, arguments: given, subagent } = call;
  const subject = subjectOf(call);
  return {
    ...{ kind: 'unknown', text: `What about ${subject}?`, subject, isDangerous: true },
    shown: visibleArguments(given, MAX_ARGUMENTS)?.short ?? '',
    details: ['had started when the session broke off. It may have taken effect.'],
    choices: [
      {
        id: 'leave',
        label: 'Leave it: the model reads that nobody knows',
        line: { letters: 'l', words: 'leave it, the model is told that nobody knows' },
      },
      {
        id: 'happened',
        label: 'It has happened',
        line: { letters: 'h', words: 'it has happened' },
        asks: 'What happened, for the model? (may be empty)',
      },
      { id: 'again', label: 'Run it again', line: { letters: 'r', words: 'run it again' } },
    ],
    marked: 'leave',
    call: { id, name, arguments: given, subagent },
  };
}

/** What the agent is told. Any other answer leaves the call unknown. */
export function unknownAnswer({ choice, text = '' }: Answer): UnknownChoice {
  if (choice === 'again') return { choice };
  if (choice !== 'happened') return { choice: 'leave' };
  return text.trim() === '' ? { choice } : { choice, note: text.trim() };
}
