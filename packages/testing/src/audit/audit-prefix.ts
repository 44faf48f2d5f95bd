import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { estimateTokens, type TokenCounter } from '@toolfold/core/internal/tool';
import {
  checkKnown,
  formatCount,
  formatNumber,
  type KnownOptions,
} from '@toolfold/core/internal/values';
import { requestFormats } from '../wire/index.ts';
import {
  type AuditableRequest,
  type Block,
  type BlockSection,
  blocksIn,
  type FormattedRequest,
  type PlacedBlock,
  remembered,
} from './blocks.ts';
import { asksForCache, mustBeAsked } from './cache-plan.ts';

/** Options of the auditor. */
export interface AuditOptions {
  /** The token counter. Default: the core's estimate of o200k tokens. */
  readonly countTokens?: TokenCounter;
}

/** The first block at which a request differs from the beginning expected from the request before it. */
export interface PrefixBreak {
  readonly block: string;
  readonly how: 'changed' | 'removed' | 'inserted' | 'reordered';
  /** Short excerpts around the first character that differs; empty if there is no such block. */
  readonly before: string;
  readonly after: string;
}

/** A changed setting outside the prefix that is part of the provider's cache key. */
export interface SettingChange {
  readonly setting: string;
  readonly before: string;
  readonly after: string;
}

/** The comparison of one request with the one before it. */
export interface AuditedRequest {
  readonly index: number;
  /**
   * Why the request cannot be read. It is then compared with no other request: it holds, and has no
   * tokens. The request after it is compared with the one before it.
   */
  readonly unreadable?: string;
  /** Tools and system have the same bytes as in the request before, and the messages begin with the earlier messages. */
  readonly held: boolean;
  readonly first?: PrefixBreak;
  readonly settings: readonly SettingChange[];
  /** Tokens of the common beginning with the request before. */
  readonly keptTokens: number;
  /** Tokens after the common beginning. */
  readonly newTokens: number;
  /** Tokens of the request before that are not in the common beginning, so the cache cannot serve them. */
  readonly lostTokens: number;
}

/** The report on a conversation. `held` is true if no request broke the prefix. */
export interface AuditReport {
  readonly held: boolean;
  readonly requests: readonly AuditedRequest[];
  readonly totals: {
    readonly breaks: number;
    readonly keptTokens: number;
    readonly newTokens: number;
    readonly lostTokens: number;
  };
  /** Left out if no request goes to a provider that caches only where a request asks. */
  readonly asking?: {
    /** The requests to such a provider. */
    readonly requests: number;
    /** Those of them that ask, with a cache mark. */
    readonly asked: number;
  };
}

/**
 * Compares each request of a conversation with the one before it, block by block in cache order.
 * Ignores `cache_control` markers. After a change of format or model no tokens are kept, and blocks
 * are compared only if the format is the same. A request that does not name its provider has the
 * format of its body, and of the other requests if its body may have two. Throws `invalid-option` if
 * there are requests and none can be read.
 */
export function auditPrefix(
  requests: readonly AuditableRequest[],
  options: AuditOptions = {},
): AuditReport {
  checkKnown('auditPrefix()', options, { countTokens: true } satisfies KnownOptions<AuditOptions>);
  const { countTokens = estimateTokens } = options;
  const count = remembered(countTokens);
  const tokens = (part: readonly Block[]): number =>
    part.reduce((sum, block) => sum + count(block.text), 0);
  let previous: RequestWithBlocks | undefined;
  const asks: boolean[] = [];
  const audited = requestFormats(requests).map((format, index): AuditedRequest => {
    if ('unreadable' in format) return { index, ...format, ...NOTHING };
    const current = { ...format, blocks: blocksIn(format) };
    if (mustBeAsked(format)) asks.push(asksForCache(format, current.blocks));
    const compared = compare(previous, current, tokens);
    previous = current;
    return { index, ...compared };
  });
  const [first] = audited;
  if (previous === undefined && first !== undefined) {
    throw new ToolfoldError(
      'invalid-option',
      `None of the requests can be read. Request 1: ${first.unreadable}.`,
      'Each request needs { provider, url, body }; provider and url may be left out.',
    );
  }
  const sum = (key: 'keptTokens' | 'newTokens' | 'lostTokens'): number =>
    audited.reduce((total, request) => total + request[key], 0);
  const breaks = audited.filter(({ held }) => !held).length;
  return {
    held: breaks === 0,
    requests: audited,
    totals: {
      breaks,
      keptTokens: sum('keptTokens'),
      newTokens: sum('newTokens'),
      lostTokens: sum('lostTokens'),
    },
    ...(asks.length > 0 && {
      asking: { requests: asks.length, asked: asks.filter((isAsked) => isAsked).length },
    }),
  };
}

interface RequestWithBlocks extends FormattedRequest {
  readonly blocks: readonly PlacedBlock[];
}

/** What is said of a request that is not compared. */
const NOTHING = { held: true, settings: [], keptTokens: 0, newTokens: 0, lostTokens: 0 };

function compare(
  previous: RequestWithBlocks | undefined,
  current: RequestWithBlocks,
  tokens: (part: readonly Block[]) => number,
): Omit<AuditedRequest, 'index'> {
  const { blocks } = current;
  const before = previous?.provider === current.provider ? previous.blocks : undefined;
  const first = before === undefined ? undefined : firstBreak(before, blocks);
  const settings = previous === undefined ? [] : settingChanges(previous, current);
  const anew = settings.some(({ setting }) => setting === 'provider' || setting === 'model');
  const shared = before === undefined || anew ? 0 : sharedBlocks(before, blocks);
  return {
    held: first === undefined,
    ...(first !== undefined && { first }),
    settings,
    keptTokens: tokens(blocks.slice(0, shared)),
    newTokens: tokens(blocks.slice(shared)),
    lostTokens: tokens((previous?.blocks ?? []).slice(shared)),
  };
}

/** The number of blocks in the common beginning of two requests. */
function sharedBlocks(a: readonly Block[], b: readonly Block[]): number {
  const at = a.findIndex((block, index) => !sameBlock(block, b[index]));
  return at === -1 ? a.length : at;
}

/** Whether two blocks have the same bytes and the same path. */
function sameBlock(a: Block | undefined, b: Block | undefined): boolean {
  return a?.path === b?.path && a?.text === b?.text && a?.frame === b?.frame;
}

function firstBreak(before: readonly Block[], after: readonly Block[]): PrefixBreak | undefined {
  for (const section of ['tools', 'system', 'messages'] as const) {
    const found = sectionBreak(section, ofSection(before, section), ofSection(after, section));
    if (found !== undefined) return found;
  }
  return undefined;
}

function sectionBreak(
  section: BlockSection,
  before: readonly Block[],
  after: readonly Block[],
): PrefixBreak | undefined {
  const at = sharedBlocks(before, after);
  const old = before[at];
  const now = after[at];
  if (old === undefined && (now === undefined || section === 'messages')) return undefined;
  const how = howBroken(before.slice(at), after.slice(at));
  const shown = how === 'inserted' ? now : old;
  return { block: shown?.path ?? section, how, ...excerpts(how, old, now) };
}

// Decides by the blocks after the common beginning: if the next block is the same, this block changed;
// if the old block comes later now, one was inserted; if the new block came later before, one was removed.
function howBroken(before: readonly Block[], after: readonly Block[]): PrefixBreak['how'] {
  const [old, now] = [before[0], after[0]];
  if (old === undefined) return 'inserted';
  if (now === undefined) return 'removed';
  const oldStays = after.slice(1).some((block) => sameContent(block, old));
  const nowWasThere = before.slice(1).some((block) => sameContent(block, now));
  if (oldStays && nowWasThere) return 'reordered';
  const next = before[1];
  if (next !== undefined && after[1] !== undefined && sameContent(next, after[1])) return 'changed';
  if (oldStays) return 'inserted';
  return nowWasThere ? 'removed' : 'changed';
}

function sameContent(a: Block, b: Block): boolean {
  return a.text === b.text && a.frame === b.frame;
}

function ofSection(blocks: readonly Block[], section: BlockSection): Block[] {
  return blocks.filter((block) => block.section === section);
}

// Shows the message around the block if only that differs.
function excerpts(
  how: PrefixBreak['how'],
  old: Block | undefined,
  now: Block | undefined,
): { before: string; after: string } {
  const key = old?.text === now?.text ? 'frame' : 'text';
  const [before, after] = [old?.[key] ?? '', now?.[key] ?? ''];
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  if (how === 'removed') return { before: excerpt(before, 0), after: '' };
  if (how === 'inserted') return { before: '', after: excerpt(after, 0) };
  return { before: excerpt(before, at), after: excerpt(after, at) };
}

const SHOWN_BEFORE = 30;
const SHOWN_AFTER = 50;

function excerpt(text: string, at: number): string {
  const start = Math.max(0, at - SHOWN_BEFORE);
  const end = at + SHOWN_AFTER;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

// The settings that Anthropic and OpenAI document as part of the cache key, besides the prefix.
const SETTINGS = [
  'model',
  'tool_choice',
  'thinking',
  'output_config',
  'reasoning',
  'reasoning_effort',
  'text',
  'response_format',
  'prompt_cache_key',
];

function settingChanges(before: FormattedRequest, after: FormattedRequest): SettingChange[] {
  const read = (request: FormattedRequest, setting: string): string =>
    setting === 'provider'
      ? request.provider
      : (JSON.stringify(request.body[setting]) ?? 'not set');
  return ['provider', ...SETTINGS]
    .map((setting) => ({ setting, before: read(before, setting), after: read(after, setting) }))
    .filter((change) => change.before !== change.after);
}

/** Formats the report as text: one line for each request, the broken blocks below it, and the totals. */
export function formatAuditReport(report: AuditReport): string {
  return formatRequests(report, ({ index }) => `request ${formatNumber(index + 1)}`);
}

/** The report as text, with other names of its requests. */
export function formatRequests(
  report: AuditReport,
  nameOf: (request: AuditedRequest) => string,
): string {
  const { breaks, keptTokens, newTokens, lostTokens } = report.totals;
  const count = report.requests.filter(({ unreadable }) => unreadable === undefined).length;
  const first = report.requests.find(({ unreadable }) => unreadable === undefined)?.index;
  const verdict =
    breaks === 0
      ? 'The prefix held'
      : `The prefix broke ${breaks === 1 ? 'once' : `${formatNumber(breaks)} times`}`;
  return [
    ...report.requests.flatMap((request) =>
      requestLines(request, nameOf(request), request.index === first),
    ),
    `${verdict} over ${formatNumber(count)} request${count === 1 ? '' : 's'}: ` +
      `${formatNumber(keptTokens)} tokens kept, ${formatNumber(newTokens)} new, ${formatNumber(lostTokens)} lost.`,
    ...askingLines(report),
    '',
  ].join('\n');
}

/** What a report says about requests to a provider that caches only where a request asks. */
function askingLines({ asking }: AuditReport): string[] {
  if (asking === undefined || asking.asked === asking.requests) return [];
  const { requests, asked } = asking;
  const sent = formatCount(requests, 'request');
  if (asked > 0) {
    return [
      `The cache was asked for in ${formatNumber(asked)} of ${sent}: this provider caches only where a request has a cache mark.`,
    ];
  }
  return [
    `The cache was never asked for: this provider caches only where a request has a cache mark, and none of ${sent} has one. So nothing was read from it, whatever was kept.`,
    "Remedy: Toolfold asks unless `cache` or `strategy` is false, or the app has set a cache option. Without Toolfold, set providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } }.",
  ];
}

function requestLines(request: AuditedRequest, name: string, isFirst: boolean): string[] {
  const { first, settings, keptTokens, newTokens, lostTokens, unreadable } = request;
  if (unreadable !== undefined) return [`${name}: not compared: ${unreadable}`];
  const state = isFirst
    ? 'first'
    : first === undefined
      ? 'held'
      : `BROKEN at ${first.block} (${first.how})`;
  const tokens = `${formatNumber(keptTokens)} tokens kept, ${formatNumber(newTokens)} new, ${formatNumber(lostTokens)} lost`;
  return [
    `${name}: ${state}; ${tokens}`,
    ...(first === undefined ? [] : [`    before: ${first.before}`, `    after:  ${first.after}`]),
    ...settings.map((change) => `    ${change.setting}: ${change.before} -> ${change.after}`),
  ];
}
