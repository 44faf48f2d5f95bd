import { stripControls } from '../../mcp/controls/index.ts';
import { firstSentence, truncate } from '../../tools/values/index.ts';
import { age, formatNumber, json, type Terminal } from '../terminal/index.ts';

import type { ListedServer, ListedTool, ListReport } from './report.ts';

const LONGEST_SERVER = 32;
const LONGEST_NAME = 64;
/** Characters of a description where stdout is no terminal, and the fewest on a narrow one. */
const USUAL_DESCRIPTION = 120;
const SHORTEST_DESCRIPTION = 20;

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
  const { style, columns = Number.POSITIVE_INFINITY } = output;
  const heading = ['Server', 'State', 'Tools', 'Listed'];
  const rows = servers.map(({ name, state, tools, listedAt }) => [
    oneLine(name, LONGEST_SERVER),
    state,
    tools === undefined ? '' : formatNumber(tools),
    listedAt === undefined ? '' : age(now - listedAt),
  ]);
  const widths = heading.map((title, at) =>
    Math.max(title.length, ...rows.map((cells) => (cells[at] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (at === 2 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  const stateAt = (widths[0] ?? 0) + 2;
  return [
    style('bold', truncate(line(heading), columns)),
    ...rows.map((cells, at) => {
      const text = truncate(line(cells), columns);
      const state = servers[at]?.state ?? 'closed';
      const end = stateAt + state.length;
      const coloured = style(COLOURS[state], text.slice(stateAt, end));
      return `${text.slice(0, stateAt)}${coloured}${text.slice(end)}`;
    }),
  ];
}

/** Why servers are not ready, and what to do. These lines are not cut: their end says what to do. */
function remarks(servers: readonly ListedServer[], { style }: Output): string[] {
  return servers.flatMap(({ name, state, reason, remedy = '', warnings = [] }) => [
    // One line names all servers that are still starting.
    ...(reason === undefined || state === 'connecting'
      ? []
      : [
          `${style(COLOURS[state], `${oneLine(name, LONGEST_SERVER)}: ${state}`)}: ${oneLine(reason)}. ${oneLine(remedy)}`.trimEnd(),
        ]),
    ...warnings.map(
      (text) => `${style('yellow', oneLine(name, LONGEST_SERVER))}: ${oneLine(text)}.`,
    ),
  ]);
}

/** For each server its name, and a line for each of its tools. The server of the first tool is first. */
function toolParts(tools: readonly ListedTool[], { style, columns }: Output): string[][] {
  const byServer = Map.groupBy(tools, ({ server }) => server);
  const widest = Math.max(0, ...tools.map(({ name }) => Math.min(name.length, LONGEST_NAME)));
  const room =
    columns === undefined
      ? USUAL_DESCRIPTION
      : Math.max(SHORTEST_DESCRIPTION, columns - widest - 5);
  return [...byServer].map(([server, own]) => [
    style('bold', oneLine(server, columns ?? LONGEST_NAME)),
    ...own.flatMap(({ name, description, hidden, signature, inputSchema, outputSchema }) => {
      const mark = hidden === undefined ? '' : `(hidden: ${oneLine(hidden)}) `;
      const text = truncate(`${mark}${firstSentence(stripControls(description), room)}`, room);
      if (signature !== undefined) {
        const schemas = [inputSchema, outputSchema].filter((schema) => schema !== undefined);
        const parts = [text, ...schemas.map((schema) => json(schema).trimEnd())];
        return [
          `  ${oneLine(signature)}`,
          ...parts.filter((part) => part !== '').map((part) => `      ${part}`),
        ];
      }
      const line = `  ${oneLine(name, LONGEST_NAME).padEnd(widest)}  ${text}`.trimEnd();
      return columns === undefined ? line : truncate(line, Math.max(columns, 1));
    }),
  ]);
}

function oneLine(text: string, limit: number = Number.POSITIVE_INFINITY): string {
  return truncate(stripControls(text).replace(/\s+/g, ' '), limit);
}
