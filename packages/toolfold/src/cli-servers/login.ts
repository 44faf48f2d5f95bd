import { createInterface } from 'node:readline';
import { nearNames } from '@toolfold/core/internal/near-names.ts';
import { formatCount } from '@toolfold/core/internal/values';
import type { ServerEntry } from '@toolfold/mcp/internal/config';
import { login, logout } from '@toolfold/mcp/internal/login';
import { Command, InvalidArgumentError } from 'commander';
import {
  loadConfig,
  notTrusted,
  searchedText,
  showPageWith,
  type TrustHost,
  trustHost,
  useProxies,
} from '../servers/index.ts';
import {
  type CommandContext,
  configFlag,
  exitCode,
  seconds,
  usageError,
} from '../terminal/index.ts';

interface LoginFlags {
  readonly config?: string;
  readonly timeout: number;
  readonly browser: boolean;
  readonly scope?: readonly string[];
  readonly json?: true;
}

const loginHelp = `
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
    .addHelpText('after', loginHelp)
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

interface LogoutFlags {
  readonly config?: string;
  readonly timeout: number;
  readonly json?: true;
}

const logoutHelp = `
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
    .addHelpText('after', logoutHelp)
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

/**
 * The entry of a server in the configuration. Throws `invalid-option` if there is none of this name, and
 * `invalid-config` as `loadConfig` does.
 */
async function namedServer(
  name: string,
  file: string | undefined,
  host: TrustHost,
): Promise<ServerEntry> {
  const { config, places } = await loadConfig(file, host);
  if (config !== undefined) useProxies(config.servers, host.note);
  const entry = config?.servers.get(name);
  if (entry !== undefined) return entry;
  if (config?.untrusted?.includes(name)) throw notTrusted(name, config.file);
  if (config?.disabled.includes(name))
    throw usageError(`${name} is disabled in ${config.file}.`, 'Remove "disabled" from its entry.');
  const names = [...(config?.servers.keys() ?? [])];
  const [near] = nearNames(name, names, 1);
  const hint =
    near !== undefined
      ? `Did you mean ${near}?`
      : names.length > 0
        ? `The servers are ${names.join(', ')}.`
        : `Give a file with --config.${searchedText(places)}`;
  throw usageError(`There is no server ${JSON.stringify(name)}.`, hint);
}
