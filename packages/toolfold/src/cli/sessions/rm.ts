import type { SessionRecord, SessionStore } from '@toolfold/agent/internal/sessions';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { Command } from 'commander';
import { allSessions, findSession, shortId, titleOf, withStore } from '../../app/sessions/index.ts';
import {
  type CommandContext,
  canAsk,
  exitCode,
  formatCount,
  isAgreed,
  usageError,
} from '../../app/terminal/index.ts';

const afterHelp = `
The sessions of its subagents go with a session. Forks keep the entries that they share with it.

Examples:
  toolfold sessions rm 3f2a
  toolfold sessions rm 3f2a 77c1 --yes

Exit codes:
  0  removed, or you said no
  1  a session is in use, or the file of sessions cannot be written
  2  wrong use, or an unknown session; nothing was removed`;

/** `toolfold sessions rm`: asks on a terminal, and removes nothing elsewhere without `--yes`. */
export function rmCommand(context: CommandContext): Command {
  return new Command('rm')
    .summary('remove sessions')
    .description('Removes sessions with those of their subagents.')
    .argument('<session...>', 'the ids of the sessions, or their beginnings')
    .option('--yes', 'do not ask')
    .addHelpText('after', afterHelp)
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
