import { createInterface } from 'node:readline';
import { login } from '@toolfold/mcp/internal/mcp';
import { Command, InvalidArgumentError } from 'commander';
import { showPageWith, trustHost } from '../../app/servers/index.ts';
import {
  type CommandContext,
  configFlag,
  exitCode,
  formatCount,
  seconds,
} from '../../app/terminal/index.ts';
import { namedServer } from './named-server.ts';

interface LoginFlags {
  readonly config?: string;
  readonly timeout: number;
  readonly browser: boolean;
  readonly scope?: readonly string[];
  readonly json?: true;
}

const afterHelp = `
Examples:
  toolfold login github
  toolfold login github --scope repo
  toolfold login github --no-browser --timeout 600

Exit codes:
  0  logged in, or the server needs no login
  1  the login failed, or could not be saved
  2  wrong use or configuration
  7  the server is not trusted (toolfold trust)`;

function scopes(text: string, earlier: readonly string[] = []): readonly string[] {
  const named = text.split(/\s+/).filter((scope) => scope !== '');
  if (named.length > 0) return [...earlier, ...named];
  throw new InvalidArgumentError('Expected a scope.');
}

/** `toolfold login`: exit code 1 if the login fails. */
export function loginCommand(context: CommandContext): Command {
  const { terminal, signal, streams, exitWith } = context;
  return new Command('login')
    .description(
      'Logs in to an MCP server with OAuth, and keeps the login for the other commands. Prints the address to open in a browser, and opens it on a terminal.',
    )
    .argument('<server>', 'the name of the server in the configuration')
    .addOption(configFlag())
    .option('--timeout <seconds>', 'the time limit of the login', seconds, 300)
    .option(
      '--scope <scope>',
      'a scope to request, besides those of the entry and of the login so far; can be repeated',
      scopes,
    )
    .option('--no-browser', 'only print the address')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', afterHelp)
    .action(async (name: string, { config, timeout, browser, scope = [], json }: LoginFlags) => {
      const entry = await namedServer(name, config, trustHost(context));
      const canPaste = streams.stdin.isTTY === true || !browser;
      const result = await login(name, entry, {
        signal,
        timeout: timeout * 1000,
        scopes: scope,
        onWarning: terminal.note,
        ...(canPaste && {
          pasted: {
            lines: (stop) => createInterface({ input: streams.stdin, signal: stop }),
            onWrong: terminal.note,
          },
        }),
        onUrl: (url) => {
          showPageWith(terminal.note, browser && terminal.isInteractive)(name, url);
          if (canPaste)
            terminal.note(
              'A browser on another computer ends at an address of 127.0.0.1 that it cannot open. Paste that address here.',
            );
        },
      });
      const { kind, tools, endsAt, isSaved } = result;
      const end = endsAt === undefined ? {} : { endsAt: new Date(endsAt).toISOString() };
      const isUsable = kind === 'not-needed' || isSaved;
      const what = kind === 'not-needed' ? 'needs no login' : 'accepts the login';
      terminal.out(
        json
          ? `${JSON.stringify({ server: name, kind, tools, ...end, isSaved })}\n`
          : `${name} ${what}. It lists ${formatCount(tools, 'tool')}.\n`,
      );
      exitWith(isUsable ? exitCode.ok : exitCode.failed);
    });
}
