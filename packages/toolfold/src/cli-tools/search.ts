import type { Explanation } from '@toolfold/core/internal/search';
import { firstSentence, formatNumber } from '@toolfold/core/internal/values';
import { stripControls } from '@toolfold/mcp/internal/redact.ts';
import { Command } from 'commander';
import {
  type CommandContext,
  catalogsFlag,
  configFlag,
  descriptionRoom,
  exitCode,
  json,
  path,
  renderTable,
  seconds,
  share,
  shortLine,
  type Terminal,
  usageError,
  wholeNumber,
} from '../terminal/index.ts';
import {
  createRanker,
  type FileQuery,
  type Match,
  QUERY,
  type RankedMatches,
  type Ranker,
  readJsonLines,
  readSource,
  type ToolSource,
} from './search-source.ts';

const MAX_MATCHES = 1000;
/** After so many queries of a file, the output is sent and a signal can stop the command. */
const QUERIES_AT_ONCE = 20;

interface SearchCommandOptions extends ToolSource {
  readonly limit: number;
  readonly queries?: string;
  readonly explain?: true;
  readonly json?: true;
  readonly vectors: boolean;
}

const afterHelp = `
Examples:
  toolfold search create an issue
  toolfold search --config .mcp.json -k 3 "send a message" --json
  toolfold search --tools tools.jsonl --queries queries.jsonl -k 20 > ranked.jsonl

Exit codes:
  0  done, even if no tool matches
  2  wrong use, configuration or file
  3  some servers were not ready; the tools of the others were searched`;

/** `toolfold search`: exit code 3 if some servers were not ready. */
export function searchCommand(context: CommandContext): Command {
  return new Command('search')
    .description(
      'Ranks the tools of your MCP servers for a query, with the search that models use. The words of the query may be one argument or several.',
    )
    .argument('[query...]', 'what the tool should do')
    .addOption(configFlag().conflicts(['catalogs', 'tools']))
    .addOption(catalogsFlag().conflicts('tools'))
    .option('--tools <file>', 'use tools from a file, one JSON object a line', path)
    .option('--queries <file>', 'ask each query of a file; print a JSON line for each', path)
    .option(
      '-k, --limit <n>',
      `the most tools to print, 1 to ${formatNumber(MAX_MATCHES)}`,
      wholeNumber(1, MAX_MATCHES),
      10,
    )
    .option('--explain', 'show why each tool matches')
    .option('--json', 'print the matches as JSON')
    .option('--vectors', 'count related words as well, by word vectors', true)
    .option('--no-vectors', 'count only the words of the query')
    .option(
      '--timeout <seconds>',
      'time for the command to wait for servers without a list (default: 2 for them to start)',
      seconds,
    )
    .option('--verbose', 'write to stderr how each server starts')
    .addHelpText('after', afterHelp)
    .action((words: string[], options: SearchCommandOptions) => search(words, options, context));
}

async function search(
  words: readonly string[],
  options: SearchCommandOptions,
  context: CommandContext,
): Promise<void> {
  const query = words.join(' ').trim();
  checkQuery(query, options.queries);
  const queries = options.queries && (await readJsonLines(options.queries, QUERY, context.signal));
  const { tools, allReady } = await readSource(options, context);
  const rank = await createRanker(tools, options.vectors);
  if (options.vectors && rank.compares === 'words')
    context.terminal.note('The table of word vectors cannot be read, so only words are compared.');
  if (queries) await printRankings(queries, rank, options, context);
  else printMatches(query, rank, options, context);
  context.exitWith(allReady ? exitCode.ok : exitCode.notReady);
}

function checkQuery(query: string, file: string | undefined): void {
  if ((query === '') !== (file === undefined)) return;
  throw usageError(
    file === undefined ? 'There is no query.' : 'There is a query, and a file with queries.',
    'Say what the tool should do, as in: toolfold search "create an issue". Or give a file with --queries, but not both.',
  );
}

function printMatches(
  query: string,
  rank: Ranker,
  options: SearchCommandOptions,
  { terminal }: CommandContext,
): void {
  const ranking = rank(query, options);
  if (options.json) terminal.out(matchesJson(ranking));
  else if (ranking.matches.length === 0)
    terminal.note('No tool matches. Try other words for what the tool should do.');
  else {
    if (!doesFit(ranking)) terminal.note('Probably no tool fits. The nearest are:');
    terminal.out(matchesText(ranking.matches, terminal));
  }
}

async function printRankings(
  queries: readonly FileQuery[],
  rank: Ranker,
  options: SearchCommandOptions,
  { terminal, signal }: CommandContext,
): Promise<void> {
  for (const [n, { id, query }] of queries.entries()) {
    if (n % QUERIES_AT_ONCE === 0) {
      if (terminal.isInteractive)
        terminal.overwrite(`Query ${formatNumber(n + 1)} of ${formatNumber(queries.length)}`);
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
    const ranking = rank(query, options);
    const { matches, ms } = ranking;
    const found = matches.flatMap(({ tool, twins = [] }) => [tool, ...twins]);
    const ranked = found.slice(0, options.limit).map((tool) => tool.id);
    const why = options.explain && { why: matches.map((match) => match.why) };
    terminal.out(json({ id, ranked, fits: doesFit(ranking), ms, ...why }));
  }
  if (terminal.isInteractive) terminal.overwrite('');
}

const LONGEST_NAME = 64;
const LONGEST_GROUP = 32;
const LONGEST_WHY = 500;

/** The matches as a table that fits the terminal. */
export function matchesText(
  matches: readonly Match[],
  { style, columns }: Pick<Terminal, 'style' | 'columns'>,
): string {
  const names = matches.map(({ tool, twins = [] }) => {
    const groups = new Set([tool, ...twins].map(({ group }) => group));
    return [
      shortLine(tool.call ?? tool.name, LONGEST_NAME),
      shortLine([...groups].join(', '), LONGEST_GROUP),
    ];
  });
  const widths = [0, 1].map((at) => Math.max(5, ...names.map((row) => (row[at] ?? '').length)));
  const left = widths.reduce((sum, width) => sum + width + 2, 0);
  const room = descriptionRoom(columns, left + 1);
  const rows = matches.map(({ tool }, at) => [
    ...(names[at] ?? []),
    firstSentence(stripControls(tool.description), room),
  ]);
  const headings = ['Tool', 'Group', 'Description'];
  const [heading = '', ...lines] = renderTable(headings, rows, style).trimEnd().split('\n');
  const explained = lines.flatMap((line, at) => {
    const why = matches[at]?.why;
    return why === undefined ? [line] : [line, `    ${shortLine(whyText(why), LONGEST_WHY)}`];
  });
  return `${[heading, ...explained].join('\n')}\n`;
}

/** The matches as JSON, and whether the first one fits. Characters that terminals obey are escaped. */
export function matchesJson(ranking: RankedMatches): string {
  const { matches, ms } = ranking;
  const named = ({ name, group, call }: Match['tool']) => ({ name, group, call });
  const rows = matches.map(({ tool, twins, ...hit }) => ({
    ...{ ...named(tool), ...hit },
    ...(twins && { twins: twins.map(named) }),
  }));
  return json({ matches: rows, fits: doesFit(ranking), ms }, 2);
}

/** Whether a tool fits the query: the best match has the score that this takes. */
function doesFit({ matches: [first], fits }: Pick<RankedMatches, 'matches' | 'fits'>): boolean {
  return first !== undefined && first.score >= fits;
}

/** The reasons as one line, the strongest first. */
export function whyText({ words, unknown, name, similarity, doesOther }: Explanation): string {
  return [
    ...(name === 'whole' ? ['its whole name'] : name === 'end' ? ['the end of its name'] : []),
    ...words.map(({ word, repaired, fields, share: part }) => {
      const read = repaired === undefined ? word : `${word} (read as ${repaired})`;
      return `${read} in ${fields.join(', ')}: ${share(part)}`;
    }),
    ...(similarity === undefined ? [] : [`similarity in meaning: ${similarity.toFixed(2)}`]),
    ...(doesOther ? ['does something else than asked'] : []),
    ...(unknown.length > 0 ? [`in no tool: ${unknown.join(', ')}`] : []),
  ].join('; ');
}
