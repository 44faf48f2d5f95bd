import type { AskedElicitation } from '../../agent/index.ts';
import { oneLine } from '../../app/terminal/index.ts';
import { visibleText } from '../../tools/values/index.ts';

/** Most characters of a name, and of what a server says. */
const MAX_NAME = 64;
const MAX_MESSAGE = 4_000;

/** What the user is told about a question of a server. Its words are not those of Toolfold. */
export function elicitationText(asked: AskedElicitation): string {
  const { name, message, url, problems = [], subagent } = asked;
  const server = oneLine(asked.server, MAX_NAME);
  const who = subagent === undefined ? '' : `[${oneLine(subagent, MAX_NAME)}] `;
  const what = url === undefined ? 'Your answers are sent to' : 'The page was chosen by';
  return [
    `${who}The server ${server} asks you while ${oneLine(name, MAX_NAME)} runs:`,
    visibleText(message, MAX_MESSAGE),
    ...problems.map(({ field, problem }) => `${field}: ${oneLine(problem, MAX_MESSAGE)}.`),
    `${what} ${server}. Give no passwords or keys.`,
  ].join('\n');
}
