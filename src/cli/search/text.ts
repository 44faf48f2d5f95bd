import { stripControls } from '../../mcp/controls/index.ts';
import { firstSentence, truncate } from '../../tools/values/index.ts';
import { json, renderTable, type Terminal } from '../terminal/index.ts';
import type { Match, Ranking } from './ranker.ts';
import { whyText } from './why.ts';

const LONGEST_NAME = 64;
const LONGEST_GROUP = 32;
const LONGEST_WHY = 500;
/** Characters of a description where stdout is no terminal, and the fewest on a narrow one. */
const USUAL_DESCRIPTION = 120;
const SHORTEST_DESCRIPTION = 20;

/** The matches as a table that fits the terminal. */
export function matchesText(
  matches: readonly Match[],
  { style, columns }: Pick<Terminal, 'style' | 'columns'>,
): string {
  const names = matches.map(({ tool, twins = [] }) => {
    const groups = new Set([tool, ...twins].map(({ group }) => group));
    return [
      oneLine(tool.call ?? tool.name, LONGEST_NAME),
      oneLine([...groups].join(', '), LONGEST_GROUP),
    ];
  });
  const widths = [0, 1].map((at) => Math.max(5, ...names.map((row) => (row[at] ?? '').length)));
  const left = widths.reduce((sum, width) => sum + width + 2, 0);
  const room =
    columns === undefined ? USUAL_DESCRIPTION : Math.max(SHORTEST_DESCRIPTION, columns - left - 1);
  const rows = matches.map(({ tool }, at) => [
    ...(names[at] ?? []),
    firstSentence(stripControls(tool.description), room),
  ]);
  const headings = ['Tool', 'Group', 'Description'];
  const [heading = '', ...lines] = renderTable(headings, rows, (text) => style('bold', text))
    .trimEnd()
    .split('\n');
  const explained = lines.flatMap((line, at) => [line, ...whyLines(matches[at]?.why)]);
  return `${[heading, ...explained].join('\n')}\n`;
}

/** The matches as JSON, and whether the first one fits. Characters that terminals obey are escaped. */
export function matchesJson(ranking: Ranking): string {
  const { matches, ms } = ranking;
  const named = ({ name, group, call }: Match['tool']) => ({ name, group, call });
  const rows = matches.map(({ tool, twins, ...hit }) => ({
    ...{ ...named(tool), ...hit },
    ...(twins && { twins: twins.map(named) }),
  }));
  return json({ matches: rows, fits: doesFit(ranking), ms }, 2);
}

/** Whether a tool fits the query: the best match has the score that this takes. */
export function doesFit({ matches: [first], fits }: Pick<Ranking, 'matches' | 'fits'>): boolean {
  return first !== undefined && first.score >= fits;
}

function whyLines(why: Match['why']): string[] {
  return why === undefined ? [] : [`    ${oneLine(whyText(why), LONGEST_WHY)}`];
}

function oneLine(text: string, limit: number): string {
  return truncate(stripControls(text).replace(/\s+/g, ' '), limit);
}
