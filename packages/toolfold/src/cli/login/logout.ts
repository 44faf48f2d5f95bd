import { logout } from '@toolfold/mcp/internal/mcp';
import { Command } from 'commander';
import { trustHost } from '../../app/servers/index.ts';
import { type CommandContext, configFlag, exitCode, seconds } from '../../app/terminal/index.ts';
import { namedServer } from './named-server.ts';

interface LogoutFlags {
  readonly config?: string;
  readonly timeout: number;
  readonly json?: true;
}

const afterHelp = `
Examples:
  toolfold logout github

Exit codes:
  0  logged out, or there was no login
  1  the login could not be removed
  2  wrong use or configuration
  7  the server is not trusted (toolfold trust)`;

/** `toolfold logout`: exit code 1 if the login cannot be removed. */
export function logoutCommand(context: CommandContext): Command {
  const { terminal, signal, exitWith } = context;
  return new Command('logout')
    .description(
      'Removes the login of an MCP server from this computer, and revokes its tokens at the server if the server offers that.',
    )
    .argument('<server>', 'the name of the server in the configuration')
    .addOption(configFlag())
    .option('--timeout <seconds>', 'the time limit for the server', seconds, 20)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', afterHelp)
    .action(async (name: string, { config, timeout, json }: LogoutFlags) => {
      const entry = await namedServer(name, config, trustHost(context));
      const { isRemoved, revoked } = await logout(name, entry, {
        signal,
        requestTimeout: timeout * 1000,
        onWarning: terminal.note,
      });
      if (typeof revoked === 'string')
        terminal.note(`The tokens could not be revoked at the server: ${revoked}.`);
      const text = isRemoved ? `The login of ${name} was removed.` : `${name} has no login.`;
      terminal.out(
        json ? `${JSON.stringify({ server: name, isRemoved, revoked })}\n` : `${text}\n`,
      );
      exitWith(exitCode.ok);
    });
}
