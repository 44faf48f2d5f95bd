import {
  type Ask,
  type AskLine,
  type Choose,
  linesAbove,
  type Step,
} from '../../questions/index.ts';
import { fillForm } from './form.ts';
import type { StepSurface } from './step-surface.ts';

/** Asks in steps: first what to do, then what belongs to the answer. A line that does not fit is asked again. */
export function byStep(surface: StepSurface): Ask {
  const { show, askLine, choose: onScreen } = surface;
  const choose = onScreen ?? byLetter(askLine);

  /** The answer to the second question. Undefined if the user goes back. */
  async function sureOf(confirm: Step, signal: AbortSignal): Promise<string | undefined> {
    const { details = [], choices } = confirm;
    if (details.length > 0) show(details.join('\n'));
    const chosen = await choose(confirm, signal);
    return choices.find(({ id }) => id === chosen && id !== 'back')?.id;
  }

  return async (question, signal) => {
    const page = question.url === undefined ? [] : [`  ${question.url}`];
    const begin = () => show([...linesAbove(question), ...page].join('\n'));
    begin();
    for (;;) {
      const chosen = await choose(question, signal);
      const choice = question.choices.find(({ id }) => id === chosen);
      if (!choice) return;
      const { id, asks, confirm, shows, line } = choice;
      const isAskedAgain = confirm && (onScreen || line?.isShort);
      if (shows !== undefined) show(shows);
      else if (isAskedAgain) {
        const sure = await sureOf(confirm, signal);
        if (sure !== undefined) return { choice: sure };
        begin();
      } else if (asks !== undefined)
        return { choice: id, text: (await askLine(`${asks} > `, signal)) ?? '' };
      else if (!question.fields || id !== 'yes') return { choice: id };
      else return fillForm(surface, question.fields, signal);
    }
  };
}

/** Choices as letters or words of a line. Any other line asks again: it may be a message, typed when the question came. */
function byLetter(askLine: AskLine): Choose {
  return async ({ text, choices }, signal) => {
    const offered = choices.flatMap(({ id, line }) => (line ? [{ id, ...line }] : []));
    const words = offered.map(({ letters, words }) => `${letters[0]}: ${words}`).join(', ');
    for (;;) {
      const line = await askLine(`${text} ${words} > `, signal);
      if (line === undefined) return;
      const word = line.trim().toLowerCase();
      const said = word === 'yes' || word === 'no' ? word.charAt(0) : word;
      // Two letters, such as those of "in", are too little for an answer.
      const isWordOf = (answer: string) => said.length > 2 && answer.split(/\W+/).includes(said);
      const chosen = offered.find((one) =>
        said.length === 1 ? one.letters.includes(said) : isWordOf(one.words),
      );
      if (chosen) return chosen.id;
    }
  };
}
