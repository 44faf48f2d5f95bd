import type { AgentOptions } from '../../agent/index.ts';
import { type AskLine, byLine, type Choose, type Question } from '../questions/index.ts';
import { oneLine } from '../terminal/index.ts';
import type { ApproverOptions } from './approvals.ts';
import { visibleArguments } from './visible-arguments.ts';

type OnUnknown = NonNullable<AgentOptions['onUnknown']>;
type Choice = NonNullable<Awaited<ReturnType<OnUnknown>>>['choice'];

/** Most characters of the arguments and of the tool's name in a question. */
const MAX_ARGUMENTS = 2_000;
const MAX_NAME = 64;

const CHOICES: ReadonlyMap<string, Choice> = new Map([
  ['again', 'again'],
  ['happened', 'happened'],
  ['leave', 'leave'],
]);

/** The question about a call whose outcome is unknown. The mark begins where nothing runs. */
function unknownQuestion(subject: string): Question {
  return {
    text: `What about ${subject}?`,
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
      },
      { id: 'again', label: 'Run it again', line: { letters: 'r', words: 'run it again' } },
    ],
    marked: 'leave',
  };
}

/**
 * Asks the user at the terminal about calls that had started when their process ended. Leaves a call
 * unknown if nobody answers.
 */
export function createUnknownAsker(
  { note, hold, signal: run }: Pick<ApproverOptions, 'note' | 'hold' | 'signal'>,
  askLine: AskLine,
  choose: Choose = byLine(askLine),
): OnUnknown {
  return ({ name, arguments: given, signal: asked }) =>
    hold(async () => {
      const signal = AbortSignal.any([run, asked]);
      signal.throwIfAborted();
      const subject = oneLine(name, MAX_NAME);
      const { short = '' } = visibleArguments(given, MAX_ARGUMENTS) ?? {};
      note(
        `${`${subject} ${short}`.trimEnd()}\nhad started when the session broke off. It may have taken effect.`,
      );
      const choice = CHOICES.get((await choose(unknownQuestion(subject), signal)) ?? '');
      if (choice === undefined) return;
      if (choice !== 'happened') return { choice };
      const text = (await askLine('What happened, for the model? (may be empty) > ', signal)) ?? '';
      return text.trim() === '' ? { choice } : { choice, note: text.trim() };
    });
}
