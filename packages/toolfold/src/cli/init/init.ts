import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { clientIds } from '@toolfold/mcp/internal/mcp/clients';
import { Command, Option } from 'commander';
import { searchedText } from '../../app/servers/index.ts';
import {
  type CommandContext,
  canAsk,
  exitCode,
  formatCount,
  isAgreed,
  json,
  path,
} from '../../app/terminal/index.ts';
import { type InitPlan, planInit } from './plan.ts';
import { initReport } from './report.ts';
import { writeTarget } from './target-file.ts';
import { planText, type ShowPath, variablesText } from './text.ts';

interface InitOptions {
  readonly config?: string;
  readonly write?: true;
  readonly json?: true;
  readonly from?: readonly string[];
}

const afterHelp = `
Secrets are not copied: a variable stands in their place, and the names of the variables are printed.
An existing file is kept: servers are added to it, and none is replaced.

Examples:
  toolfold init
  toolfold init --write
  toolfold init --from cursor claude-code --config toolfold.json --write

Exit codes:
  0  done
  2  wrong use, a file that cannot be written, or no servers
  3  done, but some files or servers could not be read`;

/** `toolfold init`: exit code 3 if some files or servers could not be read. */
export function initCommand(context: CommandContext): Command {
  return new Command('init')
    .description(
      'Shows the MCP servers that your clients have, and writes them to one configuration file.',
    )
    .option('--config <file>', 'the file to write (default: toolfold.json)', path)
    .option('--write', 'write the file; without it, ask on a terminal')
    .addOption(
      new Option('--from <client...>', 'only the servers of these clients').choices(clientIds()),
    )
    .option('--json', 'print what was found as JSON')
    .addHelpText('after', afterHelp)
    .action((options: InitOptions) => init(options, context));
}

async function init(options: InitOptions, context: CommandContext): Promise<void> {
  const { terminal, exitWith } = context;
  const { env, platform } = process;
  const [cwd, home] = [process.cwd(), homedir()];
  const file = options.config ?? join(cwd, defaultName(cwd));
  const plan = await planInit({ cwd, home, platform, env, file, clients: options.from });
  const show = pathsFrom(cwd, home);
  if (!options.json) terminal.out(planText(plan, terminal.style, show));
  const canBeAsked = !options.json && canAsk(context.streams);
  const isWanted = async (): Promise<boolean> =>
    options.write || (canBeAsked && isAgreed(`\nWrite ${show(file)}?`, context));
  const isWritten = plan.added.length > 0 && (await isWanted());
  if (isWritten) await writeTarget(plan.target, plan.added, plan.exposure);
  if (options.json) terminal.out(json(initReport(plan, isWritten), 2));
  else if (plan.servers.length > 0) terminal.out(conclusion(plan, isWritten, show));
  if (plan.servers.length === 0)
    terminal.note(`No MCP servers were found.${searchedText(plan.searched)}`);
  exitWith(codeOf(plan));
}

/** `toolfold.jsonc` is read first, so it is used if it exists. */
function defaultName(cwd: string): string {
  return existsSync(join(cwd, 'toolfold.jsonc')) ? 'toolfold.jsonc' : 'toolfold.json';
}

function conclusion(plan: InitPlan, isWritten: boolean, show: ShowPath): string {
  const { target, added, variables } = plan;
  const file = show(target.file);
  const count = formatCount(added.length, 'server');
  const result =
    added.length === 0
      ? `${file} already has all of these servers.`
      : isWritten
        ? `Wrote ${count} to ${file}.`
        : `Nothing is written. toolfold init --write adds ${count} to ${file}.`;
  const flag = /^toolfold\.jsonc?$/.test(file) ? '' : ` --config ${file}`;
  const next = `Next: toolfold list${flag}, then toolfold run${flag} "What can you do?"\n`;
  const isNext = isWritten || added.length === 0;
  return `\n${result}\n${variablesText(variables, show)}${isNext ? next : ''}`;
}

function codeOf({ files, left, servers }: InitPlan): number {
  if (left.length > 0 || files.some(({ state }) => state === 'unreadable'))
    return exitCode.notReady;
  return servers.length === 0 ? exitCode.usage : exitCode.ok;
}

function pathsFrom(cwd: string, home: string): ShowPath {
  return (file) => {
    const inside = relative(cwd, file);
    if (inside !== '' && !inside.startsWith('..')) return inside;
    const below = relative(home, file);
    return below !== '' && !below.startsWith('..') ? join('~', below) : file;
  };
}
