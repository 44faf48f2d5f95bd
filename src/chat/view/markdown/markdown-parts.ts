import { closesFence, fenceOf, isDelimiterRow } from './markdown-blocks.ts';

/** A part of a Markdown text that can be rendered on its own. */
export interface MarkdownPart {
  /** The parts of a text, one behind the other, are the text. */
  readonly text: string;
  /** It goes on with the block of the part before: no blank line stands between them. */
  readonly continues: boolean;
  /**
   * The line that opened a block of code, if the part holds nothing else: it begins with that line, or
   * inside of the block.
   */
  readonly fence?: string;
  readonly opensFence?: boolean;
  /** The head of the table in which the part begins. */
  readonly head?: string;
}

/** What a part begins with. */
type Opening = Omit<MarkdownPart, 'text'>;

/** Parts of a text that grows, and where its last one begins. */
export interface MarkdownParts {
  /** Parts that later text does not change. */
  readonly done: readonly MarkdownPart[];
  readonly last: MarkdownPart;
  /** The place in the text where the last part begins. */
  readonly at: number;
}

/** Lines, and characters, after which a part ends where it can, although its block goes on. */
const LONG = 100;
const LONG_CHARACTERS = 20_000;
/** Lines after which a part ends at any line. */
const TOO_LONG = 1000;

/** A line that can not continue a list, a quote or a table. */
const FRESH = /^[^\s\-*+>|\d]/;

export const NO_PARTS: MarkdownParts = {
  done: [],
  last: { text: '', continues: false },
  at: 0,
};

/**
 * Goes on splitting a text that has grown: only its last part is read again. Parts end at blank lines;
 * in blocks that are long, also between lines, and in lines that are long, in their middle. How the text
 * grew makes no difference.
 */
export function splitMarkdown(text: string, before: MarkdownParts = NO_PARTS): MarkdownParts {
  const reader = new PartReader(text, before);
  for (let end = reader.endOfLine(); end !== undefined; end = reader.endOfLine()) reader.read(end);
  const done = reader.done.length === 0 ? before.done : [...before.done, ...reader.done];
  return { done, last: reader.last(), at: reader.at };
}

class PartReader {
  readonly done: MarkdownPart[] = [];
  /** Where the last part begins. */
  at: number;
  readonly #text: string;
  /** What the last part begins with. */
  #opening: Opening;
  /** Where the next line begins. */
  #start: number;
  /** Lines of the last part so far. */
  #lines = 0;
  #isAfterBlank = false;
  /** The line that opened the block of code here, and where it stands. */
  #fence: string | undefined;
  #fenceAt: number;
  /** The line before, and the head of the table here. */
  #before = '';
  #head: string | undefined;

  constructor(text: string, { last: { text: _, ...opening }, at }: MarkdownParts) {
    this.#text = text;
    this.#opening = opening;
    this.at = at;
    this.#start = at;
    this.#fence = opening.fence;
    this.#fenceAt = at;
    this.#head = opening.head;
  }

  /** The end of the next line. Undefined if it may still grow, and so become another kind of line. */
  endOfLine(): number | undefined {
    const newline = this.#text.indexOf('\n', this.#start);
    if (newline >= 0 && newline - this.#start <= LONG_CHARACTERS) return newline + 1;
    if (this.#text.length - this.#start <= LONG_CHARACTERS) return;
    const end = this.#start + LONG_CHARACTERS;
    return /[\uD800-\uDBFF]/.test(this.#text.charAt(end - 1)) ? end - 1 : end;
  }

  /** Reads the line up to here. */
  read(end: number): void {
    const line = this.#text.slice(this.#start, end).replace(/\n$/, '');
    if (this.#opening.fence === undefined) this.#endBefore(line);
    const start = this.#start;
    this.#start = end;
    this.#lines += 1;
    if (this.#opening.fence === undefined) this.#follow(line, start);
    else this.#endCode(line, this.#opening.fence);
  }

  /** The part that is not done. */
  last(): MarkdownPart {
    return { ...this.#opening, text: this.#text.slice(this.at) };
  }

  get #isLong(): boolean {
    return this.#lines >= LONG || this.#start - this.at >= LONG_CHARACTERS;
  }

  /** Ends the part in front of this line if the line begins a block, or if the part is long. */
  #endBefore(line: string): void {
    const fence = this.#fence;
    if (fence !== undefined) {
      if (!this.#isLong || closesFence(line, fence)) return;
      // The block of code becomes parts of its own.
      const opening = { continues: this.#fenceAt === this.at && this.#opening.continues };
      this.#finish(this.#fenceAt, { ...opening, fence, opensFence: true });
      this.#finish(this.#start, { continues: true, fence });
    } else if (this.#isAfterBlank && FRESH.test(line)) {
      this.#finish(this.#start, { continues: false });
    } else if (this.#isLong && (/^\S/.test(line) || this.#lines >= TOO_LONG)) {
      const head = this.#head === undefined ? {} : { head: this.#head };
      this.#finish(this.#start, { continues: !this.#isAfterBlank, ...head });
    }
  }

  /** Ends a part of a block of code behind this line if the line closes the block, or the part is long. */
  #endCode(line: string, fence: string): void {
    if (closesFence(line, fence)) this.#finish(this.#start, { continues: false });
    else if (this.#isLong) this.#finish(this.#start, { continues: true, fence });
  }

  /** Remembers in which block the next line stands. */
  #follow(line: string, start: number): void {
    if (this.#fence !== undefined) {
      if (closesFence(line, this.#fence)) this.#fence = undefined;
    } else if (fenceOf(line) !== undefined) {
      this.#fence = line;
      this.#fenceAt = start;
    }
    this.#isAfterBlank = this.#fence === undefined && line.trim() === '';
    if (this.#isAfterBlank || this.#fence !== undefined) this.#head = undefined;
    else if (isDelimiterRow(line) && this.#before.includes('|'))
      this.#head = `${this.#before}\n${line}\n`;
    this.#before = line;
  }

  #finish(end: number, next: Opening): void {
    if (end > this.at) this.done.push({ ...this.#opening, text: this.#text.slice(this.at, end) });
    this.#opening = next;
    this.at = end;
    this.#fence = next.fence;
    this.#head = next.head;
    this.#lines = 0;
    this.#isAfterBlank = false;
    this.#before = '';
  }
}
