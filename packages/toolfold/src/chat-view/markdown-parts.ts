import { Marked, type Token } from '@earendil-works/pi-tui';

/** Characters at the end of a text that are read again when it has grown, and at most twice that many. */
const TAIL = 4_096;

/**
 * What a text that grows becomes, where only what stands near a place makes a difference: secrets that are
 * replaced, characters that are removed. Only the end of the text is read again.
 */
export class GrowingText {
  readonly #change: (text: string) => string;
  /** The beginning of the text that is not read again, and what it became. */
  #settled = '';
  #changed = '';

  constructor(change: (text: string) => string) {
    this.#change = change;
  }

  /** The text as it becomes. */
  read(text: string): string {
    if (text.slice(0, this.#settled.length) !== this.#settled) {
      this.#settled = '';
      this.#changed = '';
    }
    const before = this.#changed;
    const rest = text.slice(this.#settled.length);
    const changed = this.#change(rest);
    if (rest.length > TAIL * 2) this.#settle(rest, changed);
    return before + changed;
  }

  /** Keeps the beginning of the rest, if nothing that the change knows stands across the place. */
  #settle(rest: string, changed: string): void {
    const end = rest.lastIndexOf('\n', rest.length - TAIL) + 1;
    const first = this.#change(rest.slice(0, end));
    if (first + this.#change(rest.slice(end)) !== changed) return;
    this.#settled += rest.slice(0, end);
    this.#changed += first;
  }
}

/** A part of a Markdown text that can be rendered on its own. */
export interface MarkdownPart {
  /** The parts of a text, one behind the other, are the text. */
  readonly text: string;
  /** It goes on with the block of the part before: no blank line stands between them. */
  readonly continues: boolean;
  /** How the block has begun that goes on: the line that opened code, or the head of a table. */
  readonly opening: string;
  /** Whether code goes on behind the part, or, in the last part, may go on. */
  readonly isOpen: boolean;
}

/** Parts of a text that grows, and where its last one begins. */
export interface MarkdownParts {
  /** Parts that later text does not change. */
  readonly done: readonly MarkdownPart[];
  readonly last: MarkdownPart;
  /** The place in the text where the last part begins. */
  readonly at: number;
}

/** Lines after which a part ends where it can, although its block goes on, and after which it ends at any line. */
const LONG = 100;
const TOO_LONG = 1000;
/** Characters that count as a line at least. */
const LINE = 200;

const NEW_BLOCK: MarkdownPart = { text: '', continues: false, opening: '', isOpen: false };

export const NO_PARTS: MarkdownParts = { done: [], last: NEW_BLOCK, at: 0 };

const parser = new Marked();
// The definition of a link may reach over blank lines. The library shows nothing of it.
parser.use({ tokenizer: { def: () => undefined } });

function blocksOf(text: string): Token[] {
  return new parser.Lexer(parser.defaults).blockTokens(text);
}

/** Calls back with all blocks, also those in lists and quotes. */
export function eachBlock(text: string, visit: (block: Token) => void): void {
  parser.walkTokens(blocksOf(text), visit);
}

/**
 * Goes on splitting a text that has grown: only its last part is read again. Parts end at blank lines between
 * blocks; in blocks that are long, also between lines, and in lines that are long, in their middle. How the text
 * grew makes no difference.
 */
export function splitMarkdown(text: string, before: MarkdownParts = NO_PARTS): MarkdownParts {
  const done: MarkdownPart[] = [];
  let { at, last } = before;
  for (;;) {
    const { sizes, isCut } = endedParts(text, at, last.opening);
    if (sizes.length === 0) break;
    for (const size of sizes) {
      const part = text.slice(at, at + size);
      const opening = isCut ? openingAfter(last.opening + part) : '';
      const isOpen = fenceOf(opening) !== undefined;
      done.push({ ...last, text: part, isOpen });
      const continues = isCut && (isOpen || !/\n\s*\n$/.test(part));
      last = { ...NEW_BLOCK, continues, opening };
      at += size;
    }
  }
  const rest = text.slice(at);
  // Behind code that has ended, other code may be open.
  const isOpen =
    fenceOf(last.opening) !== undefined &&
    blocksOf(last.opening + rest).length === 1 &&
    openFence(last.opening + rest) !== undefined;
  return {
    done: done.length === 0 ? before.done : [...before.done, ...done],
    last: { ...last, text: rest, isOpen },
    at,
  };
}

/** The sizes of the parts from this place on that have ended. `isCut`: the block of the only one goes on. */
function endedParts(
  text: string,
  at: number,
  opening: string,
): { readonly sizes: readonly number[]; readonly isCut: boolean } {
  for (const most of [LONG, TOO_LONG]) {
    const { lines, isFull } = wholeLines(text, at, most);
    const sizes = endedBlocks(lines, opening);
    if (sizes.length > 0 || !isFull) return { sizes, isCut: false };
    const isInLine = !lines.endsWith('\n');
    if (isInLine || most === TOO_LONG || openFence(opening + lines) !== undefined)
      return { sizes: [lines.length], isCut: true };
    // Lines that are indented belong to the ones before.
    const place = [...lines.matchAll(/\n(?=\S)/g)].at(-1)?.index;
    if (place !== undefined) return { sizes: [place + 1], isCut: true };
  }
  return { sizes: [], isCut: false };
}

/** The lines from this place on that are complete. `isFull`: they are as many as a part may have. */
function wholeLines(
  text: string,
  at: number,
  most: number,
): { readonly lines: string; readonly isFull: boolean } {
  const limit = at + most * LINE;
  let end = at;
  let count = 0;
  for (; count < most; count += 1) {
    const next = text.indexOf('\n', end) + 1;
    if (next === 0 || next > limit) break;
    end = next;
  }
  const isFull = count === most || text.length > limit;
  // A long line ends between two characters.
  if (isFull && end === at) end = limit - (/[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? 1 : 0);
  return { lines: text.slice(at, end), isFull };
}

/** The sizes of the blocks that have ended: a blank line and another block stand behind each. */
function endedBlocks(lines: string, opening: string): number[] {
  const sizes: number[] = [];
  if (!/\n\s*\n/.test(lines)) return sizes;
  let isAfterBlank = false;
  let size = -opening.length;
  for (const { type, raw } of blocksOf(opening + lines)) {
    if (isAfterBlank && type !== 'space') {
      sizes.push(size);
      size = 0;
    }
    isAfterBlank = type === 'space' || /\n\s*\n$/.test(raw);
    size += raw.length;
  }
  return sizes;
}

/** How the block has begun that goes on behind this text. */
function openingAfter(text: string): string {
  const last = blocksOf(text).at(-1);
  const head = last?.type === 'table' ? /^.*\n.*\n/.exec(last.raw)?.[0] : undefined;
  return openFence(text) ?? head ?? '';
}

/** The mark of a line that opens a block of code. Backticks behind backticks are code in a line. */
const FENCE = /^ {0,3}(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})/;

/** The mark with which this text opens a block of code, such as three backticks. Undefined if it does not. */
export function fenceOf(text: string): string | undefined {
  return FENCE.exec(text)?.[1];
}

/** The line that has opened the block of code in which the text ends. Undefined if it does not end in one. */
function openFence(text: string): string | undefined {
  const { type, raw = '' } = blocksOf(text).at(-1) ?? {};
  const fence = type === 'code' ? fenceOf(raw) : undefined;
  if (fence === undefined || new RegExp(`\\n {0,3}${fence}[~\`]* *\\n?$`).test(raw)) return;
  return raw.slice(0, raw.indexOf('\n') + 1);
}
