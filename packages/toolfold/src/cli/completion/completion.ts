import { BUILT_IN_ROLES } from '@toolfold/agent/internal/agent/roles';
import { VERSION } from '@toolfold/core/internal/version.ts';
import { Argument, Command } from 'commander';
import type { CommandContext } from '../../app/terminal/index.ts';
import { type CommandTable, commandRow } from './command-table.ts';
import { completions } from './complete.ts';
import { completionScript, type Shell, shells } from './scripts.ts';

const afterHelp = `
The completions take names of servers and roles from your configuration. They start no server.

To load them, add a line to the file of your shell:
  ~/.bashrc                   eval "$(toolfold completion bash)"
  ~/.zshrc, after compinit    eval "$(toolfold completion zsh)"
  ~/.config/fish/config.fish  toolfold completion fish | source

Examples:
  toolfold completion bash`;

/** `toolfold completion`: prints the script with which a shell completes the command line. */
export function completionCommand({ terminal }: CommandContext): Command {
  const command = new Command('completion')
    .description('Prints a script with which a shell completes commands, options and names.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', afterHelp)
    .action((shell: Shell) => terminal.out(completionScript(shell, tableOf(command))));
  return command;
}

/**
 * The hidden command `toolfold complete -- words...`, which the scripts call. It prints nothing if
 * something goes wrong, because a message would disturb the line that the user types.
 */
export function completeCommand({ terminal }: CommandContext): Command {
  const command = new Command('complete')
    .argument('[words...]', 'the words of the command line so far')
    .allowUnknownOption()
    .action(async (words: string[]) => {
      try {
        terminal.out(await completions(words, process.env, tableOf(command)));
      } catch {
        // Nothing is completed.
      }
    });
  return command;
}

function tableOf(command: Command): CommandTable {
  const roles = Object.keys(BUILT_IN_ROLES);
  return { ...commandRow(command.parent ?? command), version: VERSION, roles };
}
