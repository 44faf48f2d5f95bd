import { isRecord } from '@toolfold/core/internal/values';
import { recordsOf } from './recorded-request.ts';
import type { AnswerUsage } from './wire-format.ts';

/** How long a provider keeps what a mark saves. */
type CacheTtl = '5m' | '1h';

/** A request for the cache in a body: a mark on a block, or the automatic mark at the top level. */
interface WrittenMark {
  /** Where it stands, in the API's words: `messages.3.content.0`. Undefined: at the top level. */
  readonly at: string | undefined;
  readonly block: Record<string, unknown>;
  readonly mark: Record<string, unknown>;
}

/**
 * At most this many marks in one request, the automatic one included
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching, "Explicit cache breakpoints").
 */
const MAX_MARKS = 4;

/** Blocks that cannot carry a mark (the same page, "What cannot be cached"; reports name the error). */
const UNMARKABLE = ['thinking', 'redacted_thinking', 'fallback'];

/** The mark that a block carries, on itself or, for a result, on a part of it. */
export function markOn(block: unknown): CacheTtl | undefined {
  const mark = marksOn(block, '').at(-1)?.mark;
  return mark && ttlOf(mark);
}

/** The automatic mark at the top level of a body. The API puts it on the last block that can have one. */
export function automaticMark({
  cache_control: mark,
}: Readonly<Record<string, unknown>>): CacheTtl | undefined {
  return isRecord(mark) ? ttlOf(mark) : undefined;
}

/** Whether the automatic mark can stand on a block. */
export function isMarkable(block: unknown): boolean {
  if (!isRecord(block)) return block !== '';
  const { type, text } = block;
  const isChange = type === 'tool_addition' || type === 'tool_removal';
  return (
    !isChange &&
    !(typeof type === 'string' && UNMARKABLE.includes(type)) &&
    !(type === 'text' && text === '')
  );
}

/** Why the API would refuse the cache marks of a request; undefined if it would not. */
export function marksRefusal(body: Readonly<Record<string, unknown>>): string | undefined {
  const marks = marksIn(body);
  for (const { at, block, mark } of marks) {
    const refusal = placeRefusal(at, block) ?? formRefusal(at, mark);
    if (refusal !== undefined) return refusal;
  }
  // The words of reports such as tghamm/Anthropic.SDK#50.
  const automatic = automaticMark(body);
  const last = lastMarkable(body);
  const own = markOn(last);
  if (automatic !== undefined && own !== undefined && own !== automatic) {
    return `cache_control: the last block has a \`cache_control\` with ttl='${own}', and the top level asks for ttl='${automatic}'.`;
  }
  const count = marks.length + (automatic === undefined || own !== undefined ? 0 : 1);
  if (count > MAX_MARKS) {
    return `A maximum of ${MAX_MARKS} blocks with cache_control may be provided. Found ${count}.`;
  }
  const top = automatic === undefined ? [] : [{ at: undefined, ttl: automatic }];
  return orderRefusal([...marks.map(({ at, mark }) => ({ at, ttl: ttlOf(mark) })), ...top]);
}

function placeRefusal(at: string | undefined, block: Record<string, unknown>): string | undefined {
  const type = typeof block.type === 'string' ? block.type : '';
  // The words of Wei-Shaw/sub2api#225 and UKGovernmentBEIS/inspect_ai#5335.
  if (UNMARKABLE.includes(type))
    return `${at}.${type}.cache_control: Extra inputs are not permitted`;
  // The words of askalf/dario#1066.
  return type === 'text' && block.text === ''
    ? `${at}.text: cache_control cannot be set for empty text blocks`
    : undefined;
}

function formRefusal(
  at: string | undefined,
  { type, ttl = '5m' }: Record<string, unknown>,
): string | undefined {
  if (type !== 'ephemeral') return `${at}.cache_control.type: Input should be 'ephemeral'`;
  return ttl === '5m' || ttl === '1h'
    ? undefined
    : `${at}.cache_control.ephemeral.ttl: Input should be '5m' or '1h'`;
}

// The words of anthropics/claude-code#39599. The rule: the same page, "Mixing different TTLs".
function orderRefusal(
  marks: readonly { readonly at: string | undefined; readonly ttl: CacheTtl }[],
): string | undefined {
  let short = false;
  for (const { at, ttl } of marks) {
    if (ttl === '5m') short = true;
    else if (short) {
      return `${at === undefined ? '' : `${at}.`}cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`;
    }
  }
  return undefined;
}

/** The marks on blocks, in the order in which the API processes them. */
function marksIn(body: Readonly<Record<string, unknown>>): WrittenMark[] {
  const each = (list: unknown, at: string): WrittenMark[] =>
    (Array.isArray(list) ? list : []).flatMap((block, index) => marksOn(block, `${at}.${index}`));
  return [
    ...each(body.tools, 'tools'),
    ...each(body.system, 'system'),
    ...recordsOf(body.messages).flatMap(({ content }, index) =>
      each(content, `messages.${index}.content`),
    ),
  ];
}

function marksOn(block: unknown, at: string): WrittenMark[] {
  if (!isRecord(block)) return [];
  const { cache_control: mark } = block;
  const parts = block.type === 'tool_result' ? recordsOf(block.content) : [];
  const inner = parts.flatMap((part, index) => marksOn(part, `${at}.tool_result.content.${index}`));
  return isRecord(mark) ? [...inner, { at, block, mark }] : inner;
}

/** The last block of a body on which the automatic mark can stand. */
function lastMarkable(body: Readonly<Record<string, unknown>>): unknown {
  const blocks = [
    ...recordsOf(body.tools).filter((tool) => tool.defer_loading !== true),
    ...(Array.isArray(body.system) ? body.system : [body.system]),
    ...recordsOf(body.messages).flatMap(({ content }): unknown[] =>
      Array.isArray(content) ? content : [content],
    ),
  ];
  return blocks.findLast((block) => block !== undefined && isMarkable(block));
}

function ttlOf({ ttl }: Record<string, unknown>): CacheTtl {
  return ttl === '1h' ? '1h' : '5m';
}

// The rules of this file: https://developers.openai.com/api/docs/guides/prompt-caching.

/** GPT-5.6 and later families save and match prefixes only at breakpoints. Earlier ones match any prefix. */
const WITH_BREAKPOINTS = /\bgpt-(5\.[6-9]|[6-9])/;

/** Whether a model saves and matches prefixes only at breakpoints. */
export function hasBreakpoints(model: unknown): boolean {
  return typeof model === 'string' && WITH_BREAKPOINTS.test(model);
}

/** Whether only the marked breakpoints count, and none at the latest message. */
export function isExplicitMode({
  prompt_cache_options: options,
}: Readonly<Record<string, unknown>>): boolean {
  return isRecord(options) && options.mode === 'explicit';
}

/** Whether a content part, or an item with parts, is marked as the end of a prefix. */
export function isBreakpoint(part: unknown): boolean {
  return (
    isRecord(part) &&
    (isRecord(part.prompt_cache_breakpoint) || recordsOf(part.output).some(isBreakpoint))
  );
}

/** Whether the API puts a breakpoint of its own at the end of this message or item while it is the latest. */
export function isTurnEnd({ role, type }: Readonly<Record<string, unknown>>): boolean {
  const isOutput = typeof type === 'string' && type.endsWith('_output');
  return role === 'user' || role === 'tool' || isOutput;
}

/** For how many seconds the API keeps a prefix after its last use. */
export function keptSeconds(body: Readonly<Record<string, unknown>>): number {
  const { prompt_cache_options: options, prompt_cache_retention: retention } = body;
  if (!hasBreakpoints(body.model)) return retention === '24h' ? 86_400 : 300;
  return isRecord(options) && options.ttl === '12h' ? 43_200 : 1_800;
}

/** The details of the input tokens in a usage. */
export function cacheDetails({ cached, written }: AnswerUsage): Record<string, number> {
  return { cached_tokens: cached, ...(written > 0 && { cache_write_tokens: written }) };
}
