/** The measurements as rows and as text. */
import type { Spent } from './endpoint.ts';
import type { Outcome } from './run.ts';
import type { Way } from './ways.ts';

/**
 * The figures of one way. If there were several runs: those of the run with the median CPU time.
 */
export interface Figures {
  readonly requests: number;
  readonly processed: number;
  readonly reused: number;
  /** Tokens of the scripted answers. No model generated them. */
  readonly written: number;
  readonly firstTokens: number;
  readonly firstCpuSeconds: number;
  readonly cpuSeconds: number;
}

export interface Row {
  readonly way: Way;
  /** Undefined if a request does not fit the window. */
  readonly figures?: Figures;
  /** Tokens of the request that does not fit. */
  readonly tooLong?: number;
}

/** All ways with one number of servers. */
export interface Cell {
  readonly servers: number;
  readonly tools: number;
  readonly results: string;
  readonly window: number;
  readonly rows: readonly Row[];
  readonly auto: { readonly strategy: string; readonly reason: string };
}

export function rowOf(way: Way, outcomes: readonly Outcome[]): Row {
  const runs: Figures[] = [];
  for (const outcome of outcomes) {
    if ('tooLong' in outcome) return { way, tooLong: outcome.tooLong };
    runs.push(figuresOf(outcome.spent));
  }
  const sorted = runs.toSorted((a, b) => a.cpuSeconds - b.cpuSeconds);
  const figures = sorted[Math.floor((sorted.length - 1) / 2)];
  return figures ? { way, figures } : { way };
}

function figuresOf(spent: readonly Spent[]): Figures {
  const sum = (key: keyof Spent) => spent.reduce((total, request) => total + request[key], 0);
  return {
    requests: spent.length,
    processed: sum('processed'),
    reused: sum('reused'),
    written: sum('written'),
    firstTokens: spent[0]?.processed ?? 0,
    firstCpuSeconds: spent[0]?.cpuSeconds ?? 0,
    cpuSeconds: sum('cpuSeconds'),
  };
}

/** One run as a line, to show progress. */
export function outcomeText(outcome: Outcome): string {
  if ('tooLong' in outcome) return `does not fit: a request has ${count(outcome.tooLong)} tokens`;
  const { processed, cpuSeconds } = figuresOf(outcome.spent);
  return `${count(processed)} tokens processed, ${cpuSeconds.toFixed(1)} CPU s`;
}

/**
 * Whether the choice of `auto` processed the fewest tokens of all measured ways that it may choose.
 */
export function isCheaper({ auto, rows }: Cell): boolean | undefined {
  const choosable = rows.filter(({ way }) => way === 'eager' || way === 'dispatch');
  if (choosable.length < 2) return;
  const cost = ({ figures }: Row) => figures?.processed ?? Number.POSITIVE_INFINITY;
  const [best] = choosable.toSorted((a, b) => cost(a) - cost(b));
  return best?.way === auto.strategy;
}

export function textOf(cell: Cell): string {
  const { servers, tools, results, window, rows, auto } = cell;
  const heading = [
    'requests',
    'processed',
    'reused',
    'written',
    'first',
    'first CPU s',
    'all CPU s',
  ];
  const widths = [10, 11, 9, 9, 8, 13, 11];
  const line = (first: string, cells: readonly string[]) =>
    `  ${first.padEnd(14)}${cells.map((text, n) => text.padStart(widths[n] ?? 0)).join('')}`;
  const verdicts = {
    true: 'the cheaper one as measured',
    false: 'NOT the cheaper one as measured',
  };
  const isRight = isCheaper(cell);
  return [
    `${servers} ${servers === 1 ? 'server' : 'servers'}, ${tools} tools, ${results} results`,
    line('way', heading),
    ...rows.map(({ way, figures, tooLong }) =>
      figures
        ? line(way, cellsOf(figures))
        : `  ${way.padEnd(14)}  does not fit ${count(window)} tokens: a request has ${count(tooLong ?? 0)}`,
    ),
    `  auto chooses ${auto.strategy}${isRight === undefined ? '' : ` (${verdicts[`${isRight}`]})`}: ${auto.reason}`,
    '',
  ].join('\n');
}

function cellsOf(figures: Figures): string[] {
  const { requests, processed, reused, written, firstTokens, firstCpuSeconds, cpuSeconds } =
    figures;
  return [
    ...[requests, processed, reused, written, firstTokens].map(count),
    ...[firstCpuSeconds, cpuSeconds].map((seconds) => seconds.toFixed(1)),
  ];
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
