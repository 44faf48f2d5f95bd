import type { TokenCounter, ToolDefinition } from './tool.ts';

const LOWER = 0;
const UPPER = 1;
const LETTER = 2; // accented Latin, Greek, Cyrillic
const SCRIPT = 3; // all other alphabets
const DIGIT = 4;
const SPACE = 5;
const MARK = 6;
const IDEOGRAPH = 7; // and kana
const HANGUL = 8;
const ASTRAL = 9;
const LEADING_MARK = 10;
const END = 11;

const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return LOWER;
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[0-9]/.test(character)) return DIGIT;
  return /\s/.test(character) ? SPACE : MARK;
});

/**
 * Estimates the o200k_base tokens of a text without its vocabulary. The text is cut about where
 * that encoding cuts it, and each piece costs its average number of tokens, as measured over
 * tool lists and translated program messages; `bench/tokens.ts` prints the error. Takes linear
 * time. 0 for empty text only.
 */
export const estimateTokens: TokenCounter = (text) => {
  let tokens = 0;
  let before = MARK;
  let next = kindAt(text, 0);
  for (let start = 0, end = 0; start < text.length; start = end) {
    let kind = next;
    do next = kindAt(text, ++end);
    while (next === kind);
    if (kind === UPPER && next === LOWER) {
      if (end - start > 1) tokens += 0.4;
      kind = LOWER;
      do next = kindAt(text, ++end);
      while (next === kind);
    }
    const size = end - start;
    if (kind === LOWER) tokens += wordCost(size, before);
    else if (kind === MARK) {
      if (size > 1) tokens += markCost(text, start, end);
      else if (before !== SPACE && next <= SCRIPT) kind = LEADING_MARK;
      else tokens += 1;
    } else if (kind === SPACE) tokens += spaceCost(text, start, end, next);
    else if (kind === DIGIT) tokens += Math.ceil(size / 3);
    else if (kind === UPPER) tokens += 1 + 0.32 * Math.max(0, size - 3);
    else if (kind === IDEOGRAPH) tokens += 0.78 * size;
    else if (kind === HANGUL) tokens += 0.66 * size;
    else if (kind === ASTRAL) tokens += 0.85 * size;
    else tokens += alphabetCost(size, before, kind === LETTER ? 0.25 : 0.38);
    before = kind;
  }
  return text.length === 0 ? 0 : Math.max(1, Math.round(tokens));
};

/**
 * A word usually is one token. A mark in front of it makes that rarer; a very long one is not a
 * word.
 */
function wordCost(size: number, before: number): number {
  const lead = before === LEADING_MARK ? (size > 6 ? 0.6 : 0.2) : 0;
  const cost = 1 + lead + 0.02 * Math.max(0, size - 8) + 0.3 * Math.max(0, size - 14);
  return before === LETTER ? Math.min(cost, 0.32 * size) : cost;
}

/**
 * Three letters make one token. The rest depends on the typical length of pieces in the script;
 * an accent counts half.
 */
function alphabetCost(size: number, before: number, perCharacter: number): number {
  const cost = 1 + perCharacter * Math.max(0, size - 3);
  return before === LOWER ? Math.min(cost, 0.5 * size) : cost;
}

/** The last space before a word or mark belongs to it. The rest of a run of spaces is one token. */
function spaceCost(text: string, start: number, end: number, next: number): number {
  const attached = next !== DIGIT && next !== END && text.charCodeAt(end - 1) === 32;
  const size = end - start - (attached ? 1 : 0);
  return size === 0 ? 0 : 1 + size / 64;
}

/** Three marks make one token. A line such as `-----` makes one token at any length. */
function markCost(text: string, start: number, end: number): number {
  let marks = 1;
  let repeated = 1;
  for (let i = start + 1; i < end; i++) {
    repeated = text.charCodeAt(i) === text.charCodeAt(i - 1) ? repeated + 1 : 1;
    marks += repeated > 3 ? 1 / 32 : 1;
  }
  return 1 + 0.5 * Math.max(0, marks - 3);
}

function kindAt(text: string, index: number): number {
  if (index >= text.length) return END;
  const code = text.charCodeAt(index);
  if (code < 128) return ASCII_KINDS[code] ?? MARK;
  if (code < 0xc0) return MARK;
  if (code < 0x2000) return code < 0x530 || code >= 0x1e00 ? LETTER : SCRIPT;
  if (code < 0x2e80 || (code >= 0x3000 && code < 0x3040) || code >= 0xfb00) return MARK;
  if (code < 0xac00) return IDEOGRAPH;
  return code < 0xd800 ? HANGUL : code < 0xe000 ? ASTRAL : IDEOGRAPH;
}

/** The most characters of JSON that any tokenizer packs into one token. */
const CHARACTERS_PER_TOKEN = 24;

/** The most characters of a text with so many tokens. */
export function charactersOf(tokens: number): number {
  return tokens * CHARACTERS_PER_TOKEN;
}

/** For values that cannot change: a limit that they exceed. */
const exceeded = new WeakMap<object, number>();

/**
 * The tokens of a value as JSON, exact up to `limit`. More than the limit is `Infinity`, and
 * then not all of it is written or counted.
 */
export function tokensWithin(value: object, limit: number, countTokens: TokenCounter): number {
  if ((exceeded.get(value) ?? -1) >= limit) return Infinity;
  if (roomAfter(value, charactersOf(limit)) < 0) {
    if (Object.isFrozen(value)) exceeded.set(value, limit);
    return Infinity;
  }
  const tokens = countTokens(JSON.stringify(value));
  return tokens <= limit ? tokens : Infinity;
}

/** The characters that are left after the value is written as JSON; below 0 if it does not fit. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 1;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (left < 0) break;
      left = roomAfter(item, left - 1);
    }
    return left;
  }
  for (const key of Object.keys(value)) {
    if (left < 0) break;
    left = roomAfter((value as Record<string, unknown>)[key], left - key.length - 4);
  }
  return left;
}

/** Tokens of one request, by purpose. */
export interface TokenLedger {
  /** Schemas declared from the start. */
  readonly inline: number;
  readonly bridges: number;
  /** Schemas declared since. */
  readonly loaded: number;
  readonly catalog: number;
  /** Notices and other texts put between the messages. */
  readonly inserts: number;
  readonly total: number;
}

/**
 * Tokens of a definition as its JSON text `{name, description?, parameters}`: the form in which any
 * provider's request body can be counted again.
 */
export function definitionTokens(tool: ToolDefinition, countTokens: TokenCounter): number {
  const byTool = counted.get(countTokens) ?? new WeakMap<ToolDefinition, number>();
  const known = byTool.get(tool);
  if (known !== undefined) return known;
  const { name, description, parameters } = tool;
  const tokens = countTokens(JSON.stringify({ name, description, parameters }));
  if (Object.isFrozen(tool)) counted.set(countTokens, byTool.set(tool, tokens));
  return tokens;
}

/** The tokens of definitions that cannot change, by counter. */
const counted = new WeakMap<TokenCounter, WeakMap<ToolDefinition, number>>();

/** Adds up what Toolfold puts into one request. Without `kindOf`, all declared tools count as inline. */
export function countRequest(
  request: {
    readonly system: string;
    readonly tools: readonly ToolDefinition[];
    readonly inserts: readonly { readonly text: string }[];
    readonly deliveries: readonly { readonly tools: readonly ToolDefinition[] }[];
  },
  countTokens: TokenCounter,
  kindOf?: (tool: ToolDefinition) => 'inline' | 'bridges' | 'loaded',
): TokenLedger {
  const tools = { inline: 0, bridges: 0, loaded: 0 };
  for (const tool of request.tools)
    tools[kindOf?.(tool) ?? 'inline'] += definitionTokens(tool, countTokens);
  for (const tool of request.deliveries.flatMap((delivery) => delivery.tools))
    tools.loaded += definitionTokens(tool, countTokens);
  const catalog = request.system === '' ? 0 : countTokens(request.system);
  const inserts = request.inserts.reduce(
    (sum, insert) => sum + (insert.text === '' ? 0 : countTokens(insert.text)),
    0,
  );
  const total = tools.inline + tools.bridges + tools.loaded + catalog + inserts;
  return { ...tools, catalog, inserts, total };
}

/** Limits, in tokens, of what one answer shows a model. */
export interface Limits {
  /**
   * The schemas of one `load_tools` or `tool_describe`. A single schema is whole up to twice
   * this limit.
   */
  readonly load: number;
  /** The schemas among the hits of one `tool_search`. Hits without a schema have a signature. */
  readonly search: number;
  /** The schemas that one `tool_search` appends to the request, in strategies that append schemas. */
  readonly append: number;
  /** A schema echoed in an error. */
  readonly schema: number;
}

export const DEFAULT_LIMITS: Limits = { load: 20_000, search: 200, append: 4_000, schema: 4_000 };

/** Characters of a tool's result that an agent shows its model by default: some 25,000 tokens. */
export const RESULT_LENGTH = 100_000;

/** The lowest limit of that: fewer characters of a result say nothing. */
export const MIN_RESULT_LENGTH = 100;
