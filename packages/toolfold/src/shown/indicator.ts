import type { ScreenTurn, ScreenView, Spending } from '@toolfold/agent/internal/events';
import { formatNumber } from '@toolfold/core/internal/values';
import { money, share } from '../terminal/index.ts';
import {
  type NextFacts,
  type NextRequest,
  nextRequest,
  stillSent,
  toolsWords,
} from './next-request.ts';
import type { ToolPlan } from './tool-plan.ts';

/** What the indicator shows besides what follows from the conversation. */
export interface IndicatorFacts extends NextFacts {
  /** How many tools have loaded. */
  readonly loaded: number;
  /** Tokens of the window of the model. */
  readonly contextWindow?: number | undefined;
  /** The currency of the prices, such as `EUR`. */
  readonly currency: string | undefined;
  /** What was spent beside the turns. */
  readonly besides?: Spending | undefined;
  /** What happens now, such as `2 servers start`. */
  readonly now: readonly string[];
}

/** A part of the sentence. Where there is no room for all, those with the highest rank are left out first. */
interface IndicatorPart {
  readonly text: string;
  readonly rank: number;
}

/** What the next request holds of tools, and what the conversation costs, in one sentence. */
export interface Indicator {
  /** Whether the next request has tools that can be called. */
  readonly areToolsOn: boolean;
  /** Behind a light that shows whether tools are on. */
  readonly parts: readonly IndicatorPart[];
  /** Its beginning in short, such as `on 1,870` or `off`. */
  readonly label: string;
  /** Its beginning at length: see `tooltipText`. */
  readonly tooltip: string;
  /** Whether label and tooltip say what a first request will hold, or what the last one held. */
  readonly source: 'plan' | 'request';
  /** What stands in `parts` behind what is said of tools. */
  readonly rest: readonly string[];
}

/** What the indicator says now. */
export function indicatorOf({ turns }: ScreenView, facts: IndicatorFacts): Indicator {
  const { areToolsOn, plan, loaded, model, role, currency, besides, now } = facts;
  const next = nextRequest(turns, facts);
  const cost = costText(spentOf(turns, besides), currency);
  const last = turns.findLast(({ request, usage }) => request ?? usage.requests > 0);
  const parts: readonly (readonly [string | undefined, number])[] = [
    [toolsWords(next, areToolsOn), 0],
    [areToolsOn && plan && next.all !== 0 ? toolsText(plan, loaded) : undefined, 3],
    ...now.map((text) => [text, 4] as const),
    [next.conversation > 0 ? `conversation ${formatNumber(next.conversation)}` : undefined, 5],
    [last && cachedText(last), 7],
    [windowText(turns, facts), 9],
    [cost && `session ${cost}`, 2],
    [model ?? 'no model', 1],
    [role, 8],
  ];
  const known = (some: typeof parts): IndicatorPart[] =>
    some.flatMap(([text, rank]) => (text === undefined ? [] : [{ text, rank }]));
  return {
    areToolsOn: areToolsOn && (next.all ?? 0) > 0,
    parts: known(parts),
    label: labelText(next, areToolsOn),
    tooltip: tooltipText(next, facts),
    source: areToolsOn && next.last ? 'request' : 'plan',
    rest: known(parts.slice(2)).map(({ text }) => text),
  };
}

function labelText({ tools, last }: NextRequest, areToolsOn: boolean): string {
  const tokens = areToolsOn ? (last?.tools ?? tools) : tools;
  const isShown = tokens !== undefined && (areToolsOn || tokens > 0);
  return `${areToolsOn ? 'on' : 'off'}${isShown ? ` ${formatNumber(tokens)}` : ''}`;
}

/**
 * Such as `14 tools inline, 211 on demand, 3 loaded; 1,870 tokens with each message, 52,300 with all schemas`: the plan
 * before the first request, then what the last one held. Of tools that are off, what is still sent.
 */
function tooltipText(next: NextRequest, { areToolsOn, plan, loaded }: IndicatorFacts): string {
  if (!areToolsOn) return `Tools are off; ${stillSent(next) ?? 'nothing of them is sent'}`;
  if (next.all === 0) return 'There are no tools';
  const { tools, all } = next.last ?? next;
  const counts = plan && toolsText(plan, loaded).replace(/^([\d,]+)/, (count) => `${count} tools`);
  const tokens =
    tools === undefined || all === undefined
      ? 'their tokens are not counted yet'
      : `${formatNumber(tools)} tokens with each message, ${formatNumber(all)} with all schemas`;
  return `${counts ?? 'Tools are on'}; ${tokens}`;
}

/** Which tools come with each request, which load on demand, and how many were loaded. */
function toolsText({ inline, deferred }: ToolPlan, loaded: number): string {
  const counts = [
    ...(inline > 0 || deferred === 0 ? [`${formatNumber(inline)} inline`] : []),
    ...(deferred > 0 ? [`${formatNumber(deferred)} on demand`] : []),
    ...(deferred > 0 ? [`${formatNumber(loaded)} loaded`] : []),
  ];
  return counts.join(', ');
}

/** The share of the turn that came from the provider's cache. */
function cachedText({ usage: { input, cacheRead } }: ScreenTurn): string | undefined {
  return input > 0 ? `${share(cacheRead / input)} cached` : undefined;
}

/** How much of the window of the model its last request took. Undefined if that is not known, as after a compaction. */
function windowText(
  turns: readonly ScreenTurn[],
  { model, contextWindow }: IndicatorFacts,
): string | undefined {
  const at = turns.findLastIndex(({ request }) => request !== undefined);
  const { request, start } = turns[at] ?? {};
  if (!request || contextWindow === undefined || start?.model !== model) return;
  // An epoch begins with the first request after a compaction.
  const last = turns
    .slice(at)
    .flatMap(({ notices }) => notices)
    .findLast(({ type }) => type === 'compaction' || type === 'epoch');
  if (last?.type === 'compaction') return;
  const size = contextWindow.toLocaleString('en', { notation: 'compact' }).replace('K', 'k');
  return `context ${share(request.tokens.total / contextWindow)} of ${size}`;
}

/** The currency of prices, where the configuration names none. */
const CURRENCY = 'USD';

/** The money that was spent, with its currency. Undefined if no price is known. */
export function costText(
  { cost, requests, unpriced }: Spending,
  currency: string = CURRENCY,
): string | undefined {
  if (requests === 0 || unpriced === requests) return;
  return `${unpriced === 0 ? '' : 'at least '}${money(cost, currency)}`;
}

/** Tokens and money of all turns, those of subagents included, and of what was spent besides. */
export function spentOf(turns: readonly ScreenTurn[], besides?: Spending): Spending {
  // Each frame adds up all turns, so nothing is created for each of them.
  const sum: Sum = { ...NOTHING };
  for (const turn of turns) addTurn(sum, turn);
  if (besides) add(sum, besides);
  return sum;
}

const NOTHING: Spending = {
  ...{ requests: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
  ...{ cost: 0, unpriced: 0, estimated: 0 },
};
const KEYS = Object.keys(NOTHING) as (keyof Spending)[];

type Sum = { -readonly [KEY in keyof Spending]: Spending[KEY] };

function addTurn(sum: Sum, { usage, blocks }: ScreenTurn): void {
  add(sum, usage);
  for (const block of blocks) {
    if (block.kind !== 'call') continue;
    for (const { spent, turns } of block.children) {
      if (spent) add(sum, spent);
      else for (const turn of turns) addTurn(sum, turn);
    }
  }
}

function add(sum: Sum, more: Spending): void {
  for (const key of KEYS) sum[key] += more[key];
}
