import type { AskLine, Choose } from './question.ts';

/** Asks questions with choices by lines: the first letter of the line is the answer. Any other line asks again. */
export function byLine(askLine: AskLine): Choose {
  return async ({ text, choices }, signal) => {
    const offered = choices.flatMap(({ id, line }) => (line ? [{ id, ...line }] : []));
    const words = offered.map(({ letters, words }) => `${letters[0]}: ${words}`).join(', ');
    for (;;) {
      const line = await askLine(`${text} ${words} > `, signal);
      if (line === undefined) return;
      const letter = line.trim().slice(0, 1).toLowerCase();
      const chosen = offered.find(({ letters }) => letter !== '' && letters.includes(letter));
      if (chosen) return chosen.id;
    }
  };
}
