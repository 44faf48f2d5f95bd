import { hostname } from 'node:os';
import { Command } from 'commander';
import { realPath } from '../../app/files/index.ts';
import {
  foundSessions,
  type ListedSession,
  shortId,
  stateText,
  withStore,
} from '../../app/sessions/index.ts';
import {
  age,
  type CommandContext,
  formatCount,
  formatNumber,
  json as jsonText,
  path,
  positiveInteger,
  renderTable,
  type Terminal,
} from '../../app/terminal/index.ts';

interface ListOptions {
  readonly all?: true;
  readonly folder?: string;
  readonly limit: number;
  readonly json?: true;
}

const afterHelp = `
All words of a query must occur in one message; the last one may be a beginning.

Examples:
  toolfold sessions ls
  toolfold sessions ls invoice --all
  toolfold sessions ls --json --limit 100`;

/** `toolfold sessions ls`. */
export function lsCommand(context: CommandContext): Command {
  return new Command('ls')
    .summary('list sessions')
    .description('Lists the sessions of this folder, the last one that changed first.')
    .argument('[query...]', 'only sessions with these words in a message')
    .option('--all', 'sessions of all folders')
    .option('--folder <dir>', 'sessions of this folder (default: the working folder)', path)
    .option('--limit <n>', 'the most sessions', positiveInteger, 20)
    .option('--json', 'print one JSON object')
    .addHelpText('after', afterHelp)
    .action((words: string[], options: ListOptions) =>
      ls(words.join(' ').trim(), options, context),
    );
}

async function ls(
  query: string,
  { all, folder, limit, json }: ListOptions,
  { terminal }: CommandContext,
): Promise<void> {
  // The folder may be gone; its sessions are not.
  const place = all ? undefined : realPath(folder ?? '.');
  await withStore(terminal, async (store) => {
    const found = await foundSessions(store, { words: query, folder: place, limit: limit + 1 });
    const sessions = found.slice(0, limit);
    if (json) terminal.out(jsonText({ sessions }, 2));
    else if (sessions.length > 0) terminal.out(listText(sessions, terminal, Date.now()));
    const where = place === undefined ? '' : ' in this folder; --all looks in all folders';
    if (sessions.length === 0) terminal.note(`No sessions${where}.`);
    if (found.length > limit)
      terminal.note(`There are more than ${formatCount(limit, 'session')}; --limit shows more.`);
  });
}

/** The sessions as a table. `now`: milliseconds since 1970. */
function listText(
  sessions: readonly ListedSession[],
  { style, columns }: Terminal,
  now: number,
): string {
  const host = hostname();
  const rows = sessions.map(({ id, changedAt, turns, state, title = '', excerpt }) => [
    shortId(id),
    age(now - changedAt),
    formatNumber(turns),
    stateText(state, host),
    excerpt === undefined ? title : [title, excerpt].filter((text) => text !== '').join(': '),
  ]);
  const headings = ['Session', 'Changed', { right: 'Turns' }, 'State', 'Title'];
  return renderTable(headings, rows, style, columns);
}
