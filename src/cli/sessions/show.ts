import { hostname } from 'node:os';
import { Command } from 'commander';
import { findSession, withStore } from '../../app/sessions/index.ts';
import { type CommandContext, json as jsonText } from '../../app/terminal/index.ts';
import { showText } from './show-text.ts';
import { shownSession } from './shown-session.ts';

const afterHelp = `
The beginning of an id is enough if no other id begins with it.

Examples:
  toolfold sessions show 3f2a
  toolfold sessions show 3f2a --json`;

/** `toolfold sessions show`. */
export function showCommand({ terminal }: CommandContext): Command {
  return new Command('show')
    .summary('show what was said and done in a session')
    .description('Shows a session: words, calls, results, approvals, and what it waits for.')
    .argument('<session>', 'the id of the session, or its beginning')
    .option('--json', 'print one JSON object')
    .addHelpText('after', afterHelp)
    .action((id: string, { json }: { json?: true }) =>
      withStore(terminal, async (store) => {
        const shown = await shownSession(store, await findSession(store, id));
        terminal.out(json ? jsonText(shown, 2) : showText(shown, terminal, hostname()));
      }),
    );
}
