import type { Explanation } from '@toolfold/core/internal/tools/search';
import { firstSentence } from '@toolfold/core/internal/tools/values';
import { stripControls } from '@toolfold/mcp/internal/mcp/controls';
import {
  descriptionRoom,
  json,
  renderTable,
  share,
  shortLine,
  type Terminal,
} from '../../app/terminal/index.ts';
import type { Match, Ranking } from './ranker.ts';

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
