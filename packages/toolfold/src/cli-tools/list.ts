import { formatCount } from '@toolfold/core/internal/values';
import { idleRules, knownTools } from '@toolfold/mcp/internal/known-tools.ts';
import { Command } from 'commander';
import {
  addressedServers,
  adHocConfig,
  isAddress,
  namedServer,
  notTrusted,
  openListed,
  requiredConfig,
  stdioFlag,
  trustHost,
} from '../servers/index.ts';
import { type CommandContext, configFlag, exitCode, json, seconds } from '../terminal/index.ts';
import { type ListedServer, listReport, listText, type Selection, select } from './list-report.ts';

interface ListCommandOptions {
  readonly config?: string;
  readonly stdio?: string;
  readonly refresh?: true;
  readonly state?: true;
  readonly all?: true;
  readonly schema?: true;
  readonly json?: true;
  readonly timeout?: number;
  readonly verbose?: true;
}

const USABLE = new Set<ListedServer['state']>(['ready', 'idle', 'disabled']);

const afterHelp = `
The tools come from the lists of earlier runs. Servers that have none yet are started, and get
two seconds. A query that names a server, or its tool (server.tool, server/tool, server__tool),
concerns only this server: it gets 30 seconds, and its tools are shown with their arguments. So does
--stdio, and an address, which need no configuration and keep nothing.
A query with * or ?, or one that is the name of a tool, selects by names. Every other query is a search.

Examples:
  toolfold list
  toolfold list github --schema
  toolfold list 'github__*' --refresh
  toolfold list create an issue
  toolfold list --state --json
  toolfold list --stdio 'node server.js'
  toolfold list https://example.com/mcp

Exit codes:
  0  done, even if a glob or a search of several words finds nothing
  2  wrong use or configuration, or one word that names no server and finds no tool
  3  some servers were not ready or not trusted; the tools of the others are listed
  7  the server that is named is not trusted (toolfold trust)`;

/** `toolfold list`: exit code 3 if some servers were not ready. */
export function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description(
      'Lists the MCP servers of a configuration with their state, and their tools with one line each.',
    )
    .argument('[query...]', 'only this server or these tools, or tools found by these words')
    .addOption(configFlag())
    .addOption(stdioFlag())
    .option('--refresh', 'start the servers and list their tools again')
    .option('--state', 'only the servers, not their tools')
    .option('--all', 'also tools that are hidden from models')
    .option('--schema', 'also the schemas of the tools')
    .option('--json', 'print one JSON object')
    .option(
      '--timeout <seconds>',
      'time for the command (default: 30 for a named server and with --refresh, else 2 for servers to start)',
      seconds,
    )
    .option('--verbose', 'write to stderr how each server starts')
    .addHelpText('after', afterHelp)
    .action((words: string[], options: ListCommandOptions) => list(words, options, context));
}

async function list(
  words: readonly string[],
  options: ListCommandOptions,
  context: CommandContext,
): Promise<void> {
  const { terminal, exitWith } = context;
  const address = words.slice(0, 1).find(isAddress);
  const given = options.stdio ?? address;
  const config =
    given === undefined
      ? await requiredConfig(options.config, trustHost(context))
      : adHocConfig(given);
  const query = words
    .slice(address === undefined ? 0 : 1)
    .join(' ')
    .trim();
  const names = [...config.servers.keys()];
  const server = namedServer(query, names);
  const { untrusted = [] } = config;
  const refused = namedServer(query, untrusted) ?? addressedServers(query, untrusted)[0];
  if (server === undefined && refused !== undefined) throw notTrusted(refused, config.file);
  const named =
    given !== undefined || server !== undefined
      ? [server ?? names].flat()
      : addressedServers(query, names);
  const isNamed = named.length > 0;
  await using opened = await openListed(config, context, {
    named: isNamed ? named : undefined,
    isAdHoc: given !== undefined,
    refresh: options.refresh === true,
    timeout: options.timeout,
    verbose: options.verbose === true,
  });
  const { pool, missing, waited } = opened;
  const tools = knownTools(pool, config.settings?.exposure);
  const shown = options.all ? tools : tools.filter(({ hidden }) => hidden === undefined);
  const selection = await select(server === undefined ? query : '', shown, names);
  const report = listReport({
    source: config.file,
    servers: pool.servers,
    disabled: isNamed ? [] : config.disabled,
    timeout: waited,
    selection: options.state ? undefined : selection,
    detail: options.schema ? 'schema' : isNamed ? 'signature' : 'line',
  });
  const isUsable = untrusted.length === 0 && report.servers.every(({ state }) => USABLE.has(state));
  // One word is a name. More words are a search, and a glob may match nothing.
  const isUnknown =
    server === undefined &&
    !options.state &&
    /^[^\s*?]+$/.test(query) &&
    selection.tools.length === 0;
  exitWith(isUsable ? (isUnknown ? exitCode.usage : exitCode.ok) : exitCode.notReady);
  terminal.out(options.json ? json(report, 2) : listText(report, terminal, Date.now()));
  if (missing.length > 0) terminal.note(missingText(missing, waited, words, options));
  for (const [, line] of idleRules(pool, config)) terminal.note(line);
  if (options.state) return;
  if (query !== '' && server === undefined) noteNearOnes(query, selection, context);
  if (tools.length > shown.length)
    terminal.note(
      `${formatCount(tools.length - shown.length, 'tool')} hidden from models; --all lists them.`,
    );
}

/** Says which servers were not ready, and the same command with a longer time. */
function missingText(
  missing: readonly string[],
  waited: number,
  words: readonly string[],
  { stdio }: ListCommandOptions,
): string {
  const given = [...words, ...(stdio === undefined ? [] : ['--stdio', stdio])].map(shellWord);
  const again = ['toolfold list', ...given, '--timeout', Math.max(30, 2 * waited)].join(' ');
  return `Not ready after ${waited.toLocaleString('en-US')} s: ${missing.join(', ')}. To wait longer: ${again}`;
}

function shellWord(word: string): string {
  return /^[\w.@/:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Says on stderr that nothing was found, and which servers and tools have a similar name. */
function noteNearOnes(
  query: string,
  { tools, near, nearServers = [] }: Selection,
  { terminal }: CommandContext,
): void {
  if (nearServers.length > 0) {
    const found = tools.length > 0 ? ' These tools were found by a search.' : '';
    terminal.note(
      `There is no server ${JSON.stringify(query)}. Did you mean ${nearServers.join(' or ')}?${found}`,
    );
  } else if (tools.length === 0) {
    const others = near.length === 0 ? '' : ` Near: ${near.join(', ')}.`;
    terminal.note(`No tool matches ${JSON.stringify(query)}.${others}`);
  }
}
