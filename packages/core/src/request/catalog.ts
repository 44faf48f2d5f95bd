import type { TokenCounter } from '../tool/index.ts';
import { firstSentence, plainCount, plainLine } from '../values/index.ts';

/** The most tokens of a catalog where the context window does not set a smaller limit. */
export const CATALOG_BUDGET = 4_000;
/** The share of a known context window that the catalog may take. */
const CATALOG_SHARE = 0.05;

export interface CatalogOptions {
  /** Text above the names; empty or left out means the default. */
  readonly header?: string;
  /** Tokens; `Infinity` for no limit. Left out: the smaller of 4,000 and 5 % of the window. */
  readonly budget?: number;
  /**
   * `true` if left out: a line about each tool, if the list with them fits the budget and, except under `lazy`,
   * has at most 4,000 tokens. `false`: names alone.
   */
  readonly hints?: boolean;
}

/** The catalog's options for hosts that name tools in their own way. */
export interface CatalogForm extends CatalogOptions {
  /** Writes the lines of a group. Left out: its id, and its names below. */
  readonly lines?: CatalogLines | undefined;
}

export type CatalogLines = (group: CatalogGroup, detail: CatalogDetail) => string;

interface CatalogTool {
  readonly name: string;
  readonly description: string | undefined;
}

export interface CatalogGroup {
  readonly groupId: string;
  readonly displayName: string | undefined;
  readonly description: string | undefined;
  /** Sorted by code point. */
  readonly tools: readonly CatalogTool[];
  /** False if the names are known only after the group has loaded. */
  readonly listed: boolean;
  readonly unavailable: { readonly reason: string; readonly remedy?: string } | undefined;
}

export interface Catalog {
  readonly text: string;
  readonly tokens: number;
  readonly namesVisible: number;
  readonly namesTotal: number;
  readonly groupsVisible: number;
}

/** How much of the catalog is shown; tried in this order until one fits. */
interface CatalogDetail {
  readonly hints: boolean;
  /** Characters of a group's description. */
  readonly about: number;
  /** Names per group; larger groups are cut. */
  readonly names: number;
}

/** Returns the budget in tokens. The context window may be unknown. */
export function catalogBudget(options: CatalogOptions, contextWindow: number | undefined): number {
  if (options.budget !== undefined) return Math.max(0, options.budget);
  return Math.min(CATALOG_BUDGET, Math.floor((contextWindow ?? Infinity) * CATALOG_SHARE));
}

/**
 * Renders the groups, which must be sorted. The result fits the budget for any input. These
 * forms are tried in order: names with hints while everything fits `hints` tokens; names; names
 * without descriptions of groups; names with the largest groups cut; groups with counts; the
 * same without the header; counts only; nothing.
 */
export function renderCatalog(
  header: string,
  groups: readonly CatalogGroup[],
  budget: number,
  hints: number,
  countTokens: TokenCounter,
  linesOf: CatalogLines = groupLines,
): Catalog {
  const namesTotal = groups.reduce((sum, group) => sum + group.tools.length, 0);
  const measured = (text: string, namesVisible: number, groupsVisible: number): Catalog => ({
    text,
    tokens: text === '' ? 0 : countTokens(text),
    namesVisible,
    namesTotal,
    groupsVisible,
  });
  if (groups.length === 0) return measured('', 0, 0);

  const attempt = (
    detail: CatalogDetail,
    limit = budget,
    above = `${header}\n\n`,
  ): Catalog | undefined => {
    const visible = groups.reduce((sum, g) => sum + Math.min(g.tools.length, detail.names), 0);
    // A name is at least one token, and no tokenizer packs more than 24 characters into one.
    // Text that cannot fit is neither written nor counted.
    if (visible > limit) return;
    const lines = groups.map((group) => linesOf(group, detail));
    const text = above + lines.join('\n');
    if (text.length > limit * 24) return;
    const catalog = measured(text, visible, groups.length);
    return catalog.tokens <= limit ? catalog : undefined;
  };

  const described = groups.some((group) => group.tools.some((tool) => tool.description));
  const all = Number.POSITIVE_INFINITY;
  return (
    (hints > 0 && described
      ? attempt({ hints: true, about: 120, names: all }, hints)
      : undefined) ??
    attempt({ hints: false, about: 120, names: all }) ??
    attempt({ hints: false, about: 0, names: all }) ??
    catalogWithMostNames((names) => attempt({ hints: false, about: 0, names }), groups) ??
    attempt({ hints: false, about: 0, names: 0 }) ??
    attempt({ hints: false, about: 0, names: 0 }, budget, '') ??
    catalogOfCounts(header, groups.length, namesTotal, budget, measured)
  );
}

/** Finds the largest number of names per group that fits, by bisection. */
function catalogWithMostNames(
  attempt: (names: number) => Catalog | undefined,
  groups: readonly CatalogGroup[],
): Catalog | undefined {
  let best: Catalog | undefined;
  let low = 1;
  let high = Math.max(...groups.map((group) => group.tools.length)) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const catalog = attempt(middle);
    if (catalog) best = catalog;
    if (catalog) low = middle + 1;
    else high = middle - 1;
  }
  return best;
}

function catalogOfCounts(
  header: string,
  groups: number,
  tools: number,
  budget: number,
  measured: (text: string, names: number, groups: number) => Catalog,
): Catalog {
  const counts = `${plainCount(groups, 'group')} with ${plainCount(tools, 'tool')}; their names do not fit here.`;
  for (const text of [`${header}\n\n${counts}`, counts]) {
    const catalog = measured(text, 0, 0);
    if (catalog.tokens <= budget) return catalog;
  }
  return measured('', 0, 0);
}

function groupLines(group: CatalogGroup, detail: CatalogDetail): string {
  const lines = [
    `- ${plainLine(group.groupId, 80)}${descriptionLine(group, detail)} (${statusText(group)})`,
  ];
  if (detail.hints) {
    for (const tool of group.tools) lines.push(`  ${hintOf(tool)}`);
  } else if (detail.names > 0 && group.tools.length > 0) {
    const shown = group.tools.slice(0, detail.names).map((tool) => tool.name);
    const more = group.tools.length - shown.length;
    lines.push(`  ${shown.join(', ')}${more > 0 ? ` … (+${more} more)` : ''}`);
  }
  return lines.join('\n');
}

/** The name of a tool with its hint. */
export function hintOf(tool: CatalogTool): string {
  const line = firstSentence(tool.description ?? '', 80);
  return line === '' ? tool.name : `${tool.name}: ${line}`;
}

function descriptionLine(group: CatalogGroup, detail: CatalogDetail): string {
  if (detail.about === 0) return '';
  const parts = [group.displayName, group.description]
    .filter((part) => part?.trim() && part !== group.groupId)
    .map((part) => plainLine(part ?? '', detail.about));
  return parts.length === 0 ? '' : ` "${parts.join(': ')}"`;
}

/** How many tools a group has, or why they cannot be used. */
export function statusText(group: CatalogGroup): string {
  if (group.unavailable) {
    const { reason, remedy } = group.unavailable;
    const how = remedy ? `; ${plainLine(remedy, 100)}` : '';
    return `unavailable: ${plainLine(reason, 100)}${how}`;
  }
  if (!group.listed) return 'names come with loading';
  return plainCount(group.tools.length, 'tool');
}
