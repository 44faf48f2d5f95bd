import { Command } from 'commander';
import type { CommandContext } from '../../app/terminal/index.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { lsCommand } from './ls.ts';
import { rmCommand } from './rm.ts';
import { showCommand } from './show.ts';

const afterHelp = `
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
    .addHelpText('after', afterHelp);
  for (const make of [lsCommand, showCommand, exportCommand, importCommand, rmCommand])
    sessions.addCommand(make(context));
  return sessions.addCommand(doctorCommand(context));
}
