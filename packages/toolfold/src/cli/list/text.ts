import { firstSentence, truncate } from '@toolfold/core/internal/tools/values';
import { stripControls } from '@toolfold/mcp/internal/mcp/controls';
import {
  age,
  descriptionRoom,
  formatNumber,
  json,
  renderTable,
  shortLine,
  type Terminal,
} from '../../app/terminal/index.ts';
import type { ListedServer, ListedTool, ListReport } from './report.ts';

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

type Output = Pick<Terminal, 'style' | 'columns'>;

/** The report as text that fits the terminal. `now`: milliseconds since 1970. */
export function listText(report: ListReport, output: Output, now: number): string {
  const parts = [serverLines(report.servers, output, now), remarks(report.servers, output)];
  if (report.tools !== undefined) parts.push(...toolParts(report.tools, output));
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function serverLines(servers: readonly ListedServer[], output: Output, now: number): string[] {
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
function remarks(servers: readonly ListedServer[], { style }: Output): string[] {
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
function toolParts(tools: readonly ListedTool[], { style, columns }: Output): string[][] {
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
