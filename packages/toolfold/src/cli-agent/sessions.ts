import { hostname } from 'node:os';
import type { SessionRecord, SessionStore } from '@toolfold/agent/internal/sessions';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { formatCount, formatNumber } from '@toolfold/core/internal/values';
import { Command } from 'commander';
import {
  allSessions,
  findSession,
  foundSessions,
  type ListedSession,
  shortId,
  stateText,
  titleOf,
  withStore,
} from '../stored-sessions/index.ts';
import {
  age,
  type CommandContext,
  canAsk,
  exitCode,
  isAgreed,
  json as jsonText,
  path,
  positiveInteger,
  realPath,
  renderTable,
  type Terminal,
  usageError,
} from '../terminal/index.ts';
import { doctorCommand, exportCommand, importCommand } from './session-files.ts';
import { showCommand } from './show-session.ts';

const sessionsHelp = `
The sessions are in a file of yours. TOOLFOLD_SESSIONS names another folder for it.

Examples:
  toolfold run --session new "Which issues were opened today?"
  toolfold sessions ls
  toolfold sessions show 3f2a

Exit codes:
  0  done
  1  a session is in use, or the file of sessions cannot be used or has problems
  2  wrong use, an unknown session, or a newer version of Toolfold wrote it

toolfold sessions <command> --help shows the options of a command.`;

/** `toolfold sessions` and its commands. */
export function sessionsCommand(context: CommandContext): Command {
  const sessions = new Command('sessions')
    .description('Lists, shows, exports, imports, removes and checks sessions.')
    .helpCommand(false)
    .addHelpText('after', sessionsHelp);
  for (const make of [lsCommand, showCommand, exportCommand, importCommand, rmCommand])
    sessions.addCommand(make(context));
  return sessions.addCommand(doctorCommand(context));
}

interface SessionsCommandOptions {
  readonly all?: true;
  readonly folder?: string;
  readonly limit: number;
  readonly json?: true;
}

const lsHelp = `
All words of a query must occur in one message; the last one may be a beginning.

Examples:
  toolfold sessions ls
  toolfold sessions ls invoice --all
  toolfold sessions ls --json --limit 100`;

/** `toolfold sessions ls`. */
function lsCommand(context: CommandContext): Command {
  return new Command('ls')
    .summary('list sessions')
    .description('Lists the sessions of this folder, the last one that changed first.')
    .argument('[query...]', 'only sessions with these words in a message')
    .option('--all', 'sessions of all folders')
    .option('--folder <dir>', 'sessions of this folder (default: the working folder)', path)
    .option('--limit <n>', 'the most sessions', positiveInteger, 20)
    .option('--json', 'print one JSON object')
    .addHelpText('after', lsHelp)
    .action((words: string[], options: SessionsCommandOptions) =>
      ls(words.join(' ').trim(), options, context),
    );
}

async function ls(
  query: string,
  { all, folder, limit, json }: SessionsCommandOptions,
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

const rmHelp = `
The sessions of its subagents go with a session. Forks keep the entries that they share with it.

Examples:
  toolfold sessions rm 3f2a
  toolfold sessions rm 3f2a 77c1 --yes

Exit codes:
  0  removed, or you said no
  1  a session is in use, or the file of sessions cannot be written
  2  wrong use, or an unknown session; nothing was removed`;

/** `toolfold sessions rm`: asks on a terminal, and removes nothing elsewhere without `--yes`. */
function rmCommand(context: CommandContext): Command {
  return new Command('rm')
    .summary('remove sessions')
    .description('Removes sessions with those of their subagents.')
    .argument('<session...>', 'the ids of the sessions, or their beginnings')
    .option('--yes', 'do not ask')
    .addHelpText('after', rmHelp)
    .action((ids: string[], { yes }: { yes?: true }) =>
      withStore(context.terminal, async (store) => {
        const records = new Map<string, SessionRecord>();
        for (const id of ids) {
          const record = await findSession(store, id);
          records.set(record.id, record);
        }
        const list = [...records.values()];
        for (const record of list) context.terminal.note(await rowOf(store, record));
        const question = `Remove ${formatCount(list.length, 'session')}?`;
        if (!yes && !canAsk(context.streams))
          throw usageError(
            'Nobody can be asked whether to remove this.',
            'Nothing was removed. To remove it without a question, add --yes.',
          );
        if (yes || (await isAgreed(question, context))) await remove(store, list, context);
        else context.terminal.note('Nothing was removed.');
      }),
    );
}

/** A session, and what goes with it. */
async function rowOf(store: SessionStore, record: SessionRecord): Promise<string> {
  let children = 0;
  for await (const _ of allSessions(store, record.id)) children += 1;
  const title = await titleOf(store, record);
  const more = children === 0 ? '' : `with ${formatCount(children, 'session')} of subagents`;
  return `${shortId(record.id)}  ${[title, more].filter(Boolean).join(', ')}`.trimEnd();
}

async function remove(
  store: SessionStore,
  records: readonly SessionRecord[],
  { terminal, exitWith }: CommandContext,
): Promise<void> {
  let removed = 0;
  for (const { id } of records) {
    try {
      // A session of a subagent may have gone with its parent.
      await store.remove(id);
      removed += 1;
    } catch (error) {
      if (!(error instanceof ToolfoldError)) throw error;
      exitWith(exitCode.failed);
      terminal.note(`toolfold: ${error.message}`);
    }
  }
  terminal.note(`Removed ${formatCount(removed, 'session')}.`);
}
