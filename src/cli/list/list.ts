import { Command } from 'commander';
import { openServers, requiredConfig } from '../servers/index.ts';
import { knownTools } from '../servers/known-tools/index.ts';
import {
  type CommandContext,
  configFlag,
  exitCode,
  formatCount,
  json,
  seconds,
} from '../terminal/index.ts';
import { type Selection, select } from './filter.ts';
import { type ListReport, listReport } from './report.ts';
import { listText } from './text.ts';

interface ListOptions {
  readonly config?: string;
  readonly refresh?: true;
  readonly state?: true;
  readonly all?: true;
  readonly json?: true;
  readonly timeout: number;
  readonly verbose?: true;
}

const afterHelp = `
The tools come from the lists of earlier runs. A server that has none yet is started.
A query with * or ?, or one that is the name of a server or tool, selects by names:
bare, canonical (server__tool) or server/tool. Every other query is a search.

Examples:
  toolfold list
  toolfold list 'github__*' --refresh
  toolfold list create an issue
  toolfold list --state --json

Exit codes:
  0  done, even if no tool matches
  2  wrong use or configuration
  3  some servers were not ready; the tools of the others are listed`;

/** `toolfold list`: exit code 3 if some servers were not ready. */
export function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description(
      'Lists the MCP servers of a configuration with their state, and their tools with one line each.',
    )
    .argument('[query...]', 'only tools with these names, or found by these words')
    .addOption(configFlag())
    .option('--refresh', 'start all servers and list their tools again')
    .option('--state', 'only the servers, not their tools')
    .option('--all', 'also tools that are hidden from models')
    .option('--json', 'print one JSON object')
    .option(
      '--timeout <seconds>',
      'time for the servers to start and list their tools',
      seconds,
      30,
    )
    .option('--verbose', 'write to stderr how each server starts')
    .addHelpText('after', afterHelp)
    .action((words: string[], options: ListOptions) => list(words, options, context));
}

async function list(
  words: readonly string[],
  options: ListOptions,
  context: CommandContext,
): Promise<void> {
  const { terminal, exitWith } = context;
  const config = await requiredConfig(options.config, terminal.note);
  const { pool } = await openServers(config, context, {
    starts: 'missing',
    refresh: options.refresh === true,
    timeout: options.timeout * 1000,
    patience: options.timeout * 1000,
    verbose: options.verbose === true,
  });
  try {
    const tools = knownTools(pool, config.settings?.exposure);
    const shown = options.all ? tools : tools.filter(({ hidden }) => hidden === undefined);
    const query = words.join(' ').trim();
    const selection = await select(
      query,
      shown,
      pool.servers.map(({ name }) => name),
    );
    const report = listReport({
      source: config.file,
      servers: pool.servers,
      disabled: config.disabled,
      timeout: options.timeout,
      ...(options.state ? {} : { selection }),
    });
    exitWith(report.servers.every(isUsable) ? exitCode.ok : exitCode.notReady);
    print(report, options, context);
    if (options.state) return;
    if (query !== '') noteNearOnes(query, selection, context);
    if (tools.length > shown.length) {
      terminal.note(
        `${formatCount(tools.length - shown.length, 'tool')} hidden from models; --all lists them.`,
      );
    }
  } finally {
    await pool.close();
  }
}

function isUsable({ state }: ListReport['servers'][number]): boolean {
  return state === 'ready' || state === 'idle' || state === 'disabled';
}

function print(report: ListReport, options: ListOptions, { terminal }: CommandContext): void {
  terminal.out(options.json ? json(report, 2) : listText(report, terminal, Date.now()));
}

/** Says on stderr that nothing was found, and what is near. */
function noteNearOnes(query: string, { tools, near }: Selection, context: CommandContext): void {
  if (tools.length > 0) return;
  const others = near.length === 0 ? '' : ` Near: ${near.join(', ')}.`;
  context.terminal.note(`No tool matches ${JSON.stringify(query)}.${others}`);
}
