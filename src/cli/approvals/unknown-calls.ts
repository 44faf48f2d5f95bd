import type { AgentOptions } from '../../agent/index.ts';
import { oneLine } from '../terminal/index.ts';
import type { ApproverOptions, AskLine } from './approvals.ts';
import { visibleArguments } from './visible-arguments.ts';

type OnUnknown = NonNullable<AgentOptions['onUnknown']>;
type Choice = NonNullable<Awaited<ReturnType<OnUnknown>>>['choice'];

/** Most characters of the arguments and of the tool's name in a question. */
const MAX_ARGUMENTS = 2_000;
const MAX_NAME = 64;

const choices: ReadonlyMap<string, Choice> = new Map([
  ['r', 'again'],
  ['h', 'happened'],
  ['l', 'leave'],
]);

/**
 * Asks the user at the terminal about calls that had started when their process ended. Leaves a call
 * unknown if nobody answers.
 */
export function createUnknownAsker(
  { note, hold, signal: run }: Pick<ApproverOptions, 'note' | 'hold' | 'signal'>,
  askLine: AskLine,
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
      for (;;) {
        const line = await askLine(
          `What about ${subject}? r: run it again, h: it has happened, l: leave it, the model is told that nobody knows > `,
          signal,
          'rhl',
        );
        if (line === undefined) return;
        const choice = choices.get(line.trim().slice(0, 1).toLowerCase());
        if (choice === undefined) continue;
        if (choice !== 'happened') return { choice };
        const text =
          (await askLine('What happened, for the model? (may be empty) > ', signal)) ?? '';
        return text.trim() === '' ? { choice } : { choice, note: text.trim() };
      }
    });
}
