import { truncateToWidth } from '@earendil-works/pi-tui';
import type { ScreenTurn, ScreenView, Spending } from '../../agent/index.ts';
import { formatNumber, money, share } from '../../app/terminal/index.ts';
import { cleanLine } from './clean.ts';
import type { Theme } from './theme.ts';

/** Most characters of a name. */
const MAX_NAME = 60;

/** What the status line shows besides what follows from the conversation. */
export interface StatusFacts {
  readonly areToolsOn: boolean;
  /** Tools whose schemas stand in each request, and tools whose schemas load on demand. */
  readonly inline: number;
  readonly deferred: number;
  /** Tokens of the schemas of all tools. Undefined while it is not known. */
  readonly eagerTokens: number | undefined;
  readonly model: string | undefined;
  readonly role: string | undefined;
  /** What happens now, such as `2 servers start`. */
  readonly now: readonly string[];
}

/** One line: tools on or off, their number, what the turn has used, and the cost with subagents. */
export function statusLine(
  { turns }: ScreenView,
  facts: StatusFacts,
  theme: Theme,
  width: number,
): string {
  const { areToolsOn, inline, deferred, eagerTokens, model, role, now } = facts;
  const light = areToolsOn ? theme.good('● tools') : theme.dim('○ tools off');
  const loaded = loadedTools(turns);
  const tools = `${formatNumber(inline)} inline ${formatNumber(deferred)} deferred ${formatNumber(loaded)} loaded`;
  const last = turns.at(-1);
  const used = last ? usageText(last, eagerTokens) : [];
  const { cost, unpriced, requests } = spentOf(turns);
  const price =
    requests > 0 && unpriced < requests
      ? [`cost ${unpriced === 0 ? '' : 'at least '}${money(cost)}`]
      : [];
  const names = [model ?? 'no model', ...(role === undefined ? [] : [role])];
  const rest = [
    tools,
    ...now,
    ...used,
    ...price,
    ...names.map((name) => cleanLine(name, MAX_NAME)),
  ];
  return truncateToWidth(`${light} ${theme.dim(rest.join(' │ '))}`, Math.max(1, width), '…');
}

/** Tools whose schemas came in this conversation, since it was last compacted. */
function loadedTools(turns: readonly ScreenTurn[]): number {
  const names = new Set<string>();
  for (const { notices } of turns) {
    for (const notice of notices) {
      if (notice.type === 'compaction') names.clear();
      if (notice.type === 'load' || notice.type === 'preload')
        for (const name of notice.tools) names.add(name);
    }
  }
  return names.size;
}

/** The tokens of the last turn, its share of an eager request, and the share read from the cache. */
function usageText({ usage, request }: ScreenTurn, eagerTokens: number | undefined): string[] {
  const { input, output, cacheRead } = usage;
  const eager =
    request && eagerTokens !== undefined && eagerTokens > 0
      ? [`${share(request.tokens.total / (eagerTokens + request.tokens.messages))} of eager`]
      : [];
  const cached = input > 0 ? [`${share(cacheRead / input)} cached`] : [];
  return [`${formatNumber(input + output)} tokens`, ...eager, ...cached];
}

/** Tokens and money of all turns, those of subagents included. */
export function spentOf(turns: readonly ScreenTurn[]): Spending {
  // Each frame adds up all turns, so nothing is created for each of them.
  const sum: Sum = { ...NOTHING };
  for (const turn of turns) addTurn(sum, turn);
  return sum;
}

const NOTHING: Spending = {
  ...{ requests: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
  ...{ cost: 0, unpriced: 0, estimated: 0 },
};

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
  sum.requests += more.requests;
  sum.input += more.input;
  sum.cacheRead += more.cacheRead;
  sum.cacheWrite += more.cacheWrite;
  sum.output += more.output;
  sum.cost += more.cost;
  sum.unpriced += more.unpriced;
  sum.estimated += more.estimated;
}
