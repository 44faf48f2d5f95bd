import { nearNames } from '@toolfold/core/internal/near-names.ts';
import { signatureOf } from '@toolfold/core/internal/schema';
import {
  firstSentence,
  formatNumber,
  matchesGlob,
  matchesTool,
  ownProperty,
  pick,
  truncate,
} from '@toolfold/core/internal/values';
import type { KnownTool } from '@toolfold/mcp/internal/known-tools.ts';
import { stripControls } from '@toolfold/mcp/internal/redact.ts';
import type { ServerStatus } from '@toolfold/mcp/internal/server';
import { addressedServers, behindServer, isNamed } from '../servers/index.ts';
import {
  age,
  descriptionRoom,
  json,
  renderTable,
  shortLine,
  type Terminal,
} from '../terminal/index.ts';
import { createRanker, foundTool } from './search-source.ts';

const MOST_FOUND = 10;
const MOST_NEAR = 5;

/** The tools that a query selects. */
export interface Selection {
  /** A search has the best first. */
  readonly tools: readonly KnownTool[];
  /** Names of tools near the query, if it selects no tool. */
  readonly near: readonly string[];
  /** Names of servers near the query, if it is one word and the name of nothing. */
  readonly nearServers?: readonly string[];
}

/**
 * The tools that a query selects: by glob if it has `*` or `?`, by name if it is the name of a tool, else by
 * search. All tools for an empty query.
 */
export async function select(
  query: string,
  tools: readonly KnownTool[],
  servers: readonly string[],
): Promise<Selection> {
  if (query === '') return { tools, near: [] };
  const isGlob = /[*?]/.test(query);
  const named = tools.filter((tool) => isMeant(query, tool));
  if (named.length > 0) return { tools: named, near: [] };
  const [server] = addressedServers(query, servers);
  const words = server === undefined ? query : behindServer(query, server);
  const found = isGlob ? [] : await search(words, tools);
  const isTool = isGlob || query.includes(' ') || server !== undefined;
  const nearServers = isTool ? [] : nearNames(query, servers, MOST_NEAR);
  const bare = query.replace(/[*?]+/g, '').replace(/[/.]/, '__');
  const names = tools.map(({ name }) => name);
  const near = found.length > 0 ? [] : nearNames(bare, names, MOST_NEAR);
  return { tools: found, near, nearServers };
}

function isMeant(glob: string, tool: KnownTool): boolean {
  const { bare, server } = tool;
  return (
    isNamed(glob, tool) ||
    matchesTool(glob, tool) ||
    [bare, server, `${server}/${bare}`, `${server}.${bare}`].some((one) => matchesGlob(glob, one))
  );
}

async function search(query: string, tools: readonly KnownTool[]): Promise<readonly KnownTool[]> {
  const rank = await createRanker(tools.map((tool) => ({ ...foundTool(tool), id: tool.name })));
  const { matches, fits } = rank(query, { limit: MOST_FOUND });
  return matches
    .filter(({ score }) => score >= fits)
    .flatMap(({ tool, twins = [] }) => [tool, ...twins])
    .flatMap(({ id }) => tools.find(({ name }) => name === id) ?? []);
}

/** A server's row. `disabled`: the configuration says that it is not used. */
export interface ListedServer extends Omit<ServerStatus, 'state' | 'tools' | 'ms'> {
  readonly state: ServerStatus['state'] | 'disabled';
  readonly tools?: number;
  readonly ms?: number;
}

/** A tool's row. */
interface ToolRow {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly hidden?: string;
  /** Its name with its arguments and their types, and what it returns. */
  readonly signature?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
}

/** The output of `toolfold list --json`. */
interface ListReport {
  /** The file that lists the servers. */
  readonly source: string;
  readonly servers: readonly ListedServer[];
  /** Absent if only the servers were asked for. */
  readonly tools?: readonly ToolRow[];
}

interface ListReportInputs extends Pick<ListReport, 'source'> {
  readonly servers: readonly ServerStatus[];
  readonly disabled: readonly string[];
  /** Seconds that servers had to start. */
  readonly timeout: number;
  readonly selection?: Selection | undefined;
  /** What is shown of each tool, besides its name and description. Default: `line`, nothing. */
  readonly detail?: 'line' | 'signature' | 'schema';
}

/** Combines the rows of servers and tools. */
export function listReport(inputs: ListReportInputs): ListReport {
  const { source, servers, disabled, timeout, selection, detail = 'line' } = inputs;
  return {
    source,
    servers: [
      ...servers.map((server) => row(server, timeout)),
      ...disabled.map((name): ListedServer => ({ name, state: 'disabled' })),
    ],
    ...(selection && { tools: selection.tools.map((tool) => toolRow(tool, detail)) }),
  };
}

function toolRow(tool: KnownTool, detail: ListReportInputs['detail']): ToolRow {
  const { name, server, bare, description, inputSchema, listed } = tool;
  const row = { name, server, tool: bare, description, ...pick(tool, 'hidden') };
  if (detail === 'line') return row;
  const outputSchema = ownProperty(listed, 'outputSchema');
  const returned = signatureOf(outputSchema);
  const returns = returned === '' ? '' : `: { ${returned} }`;
  const signature = `${name}(${signatureOf(inputSchema)})${returns}`;
  return { ...row, signature, ...(detail === 'schema' && { inputSchema, outputSchema }) };
}

/** What is not known after the time limit has a reason. */
function row(server: ServerStatus, timeout: number): ListedServer {
  const { state, listedAt } = server;
  const isLate = listedAt === undefined && (state === 'connecting' || state === 'idle');
  if (!isLate) return server;
  const reason = `it is not ready after ${timeout.toLocaleString('en-US')} s`;
  return { ...server, state: 'connecting', reason, remedy: 'Set a longer time with --timeout.' };
}

const LONGEST_SERVER = 32;
const LONGEST_NAME = 64;

const COLOURS: Readonly<Record<ListedServer['state'], Parameters<Terminal['style']>[0]>> = {
  ready: 'green',
  idle: 'green',
  connecting: 'yellow',
  'needs-auth': 'yellow',
  failed: 'red',
  closed: 'red',
  disabled: 'dim',
};

type ReportTerminal = Pick<Terminal, 'style' | 'columns'>;

/** The report as text that fits the terminal. `now`: milliseconds since 1970. */
export function listText(report: ListReport, output: ReportTerminal, now: number): string {
  const parts = [serverLines(report.servers, output, now), remarks(report.servers, output)];
  if (report.tools !== undefined) parts.push(...toolParts(report.tools, output));
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function serverLines(
  servers: readonly ListedServer[],
  output: ReportTerminal,
  now: number,
): string[] {
  const { style, columns } = output;
  const rows = servers.map(({ name, state, tools, listedAt }) => [
    shortLine(name, LONGEST_SERVER),
    state,
    tools === undefined ? '' : formatNumber(tools),
    listedAt === undefined ? '' : age(now - listedAt),
  ]);
  const headings = ['Server', 'State', { right: 'Tools' }, 'Listed'];
  const [heading = '', ...lines] = renderTable(headings, rows, style, columns)
    .trimEnd()
    .split('\n');
  const stateAt = Math.max('Server'.length, ...rows.map(([name = '']) => name.length)) + 2;
  const coloured = servers.map(({ state }, at) => {
    const text = lines[at] ?? '';
    const end = stateAt + state.length;
    return `${text.slice(0, stateAt)}${style(COLOURS[state], text.slice(stateAt, end))}${text.slice(end)}`;
  });
  return [heading, ...coloured];
}

/** Why servers are not ready, and what to do. These lines are not cut: their end says what to do. */
function remarks(servers: readonly ListedServer[], { style }: ReportTerminal): string[] {
  return servers.flatMap(({ name, state, reason, remedy = '', warnings = [] }) => [
    // One line names all servers that are still starting.
    ...(reason === undefined || state === 'connecting'
      ? []
      : [
          `${style(COLOURS[state], `${shortLine(name, LONGEST_SERVER)}: ${state}`)}: ${shortLine(reason)}. ${shortLine(remedy)}`.trimEnd(),
        ]),
    ...warnings.map(
      (text) => `${style('yellow', shortLine(name, LONGEST_SERVER))}: ${shortLine(text)}.`,
    ),
  ]);
}

/** For each server its name, and a line for each of its tools. The server of the first tool is first. */
function toolParts(tools: readonly ToolRow[], { style, columns }: ReportTerminal): string[][] {
  const byServer = Map.groupBy(tools, ({ server }) => server);
  const widest = Math.max(0, ...tools.map(({ name }) => Math.min(name.length, LONGEST_NAME)));
  const room = descriptionRoom(columns, widest + 5);
  return [...byServer].map(([server, own]) => [
    style('bold', shortLine(server, columns ?? LONGEST_NAME)),
    ...own.flatMap(({ name, description, hidden, signature, inputSchema, outputSchema }) => {
      const mark = hidden === undefined ? '' : `(hidden: ${shortLine(hidden)}) `;
      const text = truncate(`${mark}${firstSentence(stripControls(description), room)}`, room);
      if (signature !== undefined) {
        const schemas = [inputSchema, outputSchema].filter((schema) => schema !== undefined);
        const parts = [text, ...schemas.map((schema) => json(schema).trimEnd())];
        return [
          `  ${shortLine(signature)}`,
          ...parts.filter((part) => part !== '').map((part) => `      ${part}`),
        ];
      }
      const line = `  ${shortLine(name, LONGEST_NAME).padEnd(widest)}  ${text}`.trimEnd();
      return columns === undefined ? line : truncate(line, Math.max(columns, 1));
    }),
  ]);
}
