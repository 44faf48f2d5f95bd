import type { ServerStatus } from '../../mcp/index.ts';
import type { Question } from '../questions/index.ts';
import { oneLine } from '../terminal/index.ts';
import { MAX_NAME } from './steps/index.ts';

/** Most characters of a reason and of an address. */
const MAX_LINE = 300;

/** Whether the user logs in to a server now. `url`: that of the server. The mark begins where nothing is opened. */
export function loginQuestion(
  { name, reason = 'it needs a login' }: Pick<ServerStatus, 'name' | 'reason'>,
  url: string,
): Question {
  const server = oneLine(name, MAX_NAME);
  return {
    ...{ kind: 'login', askedBy: 'server', text: `Log in to ${server} now?`, marked: 'no' },
    subject: `The server ${server} cannot be used: ${oneLine(reason, MAX_LINE)}.`,
    details: [
      `  ${oneLine(url, MAX_LINE)}`,
      'Your browser opens a page that the server has chosen. Look at its address before you log in.',
    ],
    choices: [
      { id: 'yes', label: 'Log in: my browser opens', line: { letters: 'y', words: 'yes' } },
      { id: 'no', label: 'Not now', line: { letters: 'n', words: 'not now' } },
    ],
  };
}
