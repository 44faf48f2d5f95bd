import {
  Markdown,
  type MarkdownTheme,
  type Tokens,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from '@earendil-works/pi-tui';
import {
  eachBlock,
  fenceOf,
  GrowingText,
  type MarkdownPart,
  type MarkdownParts,
  NO_PARTS,
  splitMarkdown,
} from './markdown-parts.ts';
import { type CodeTheme, highlighted } from './theme.ts';

type Alignment = 'left' | 'center' | 'right' | null;

/** The upper border of a table as the library draws it. */
const TOP = /^ *┌─+(?:┬─+)*┐$/;
/** The spaces at the end of a cell, before the codes that end its style. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles are escape sequences
const PADDING = /^(.*?)( *)((?:\u001B\[[\d;]*m)*)$/;

/**
 * The lines of a Markdown text, with the columns of its tables aligned as their delimiter rows say: the library draws
 * all of them to the left. Where the tables of the text and of the lines do not correspond, the lines stay as they are.
 */
function withAlignedColumns(lines: readonly string[], markdown: string): readonly string[] {
  if (!/-:/.test(markdown)) return lines;
  const wanted: (readonly Alignment[])[] = [];
  eachBlock(markdown, (block) => {
    if (block.type === 'table') wanted.push((block as Tokens.Table).align);
  });
  if (lines.filter((line) => TOP.test(line)).length !== wanted.length) return lines;
  let columns: readonly Alignment[] | undefined;
  return lines.map((line) => {
    if (TOP.test(line)) columns = wanted.shift();
    else if (line.trimStart().startsWith('└')) columns = undefined;
    return columns ? rowOf(line, columns) : line;
  });
}

const SHARES = { left: 0, center: 0.5, right: 1 };

/** A line of a table. One whose cells hold the sign between columns stays as it is. */
function rowOf(line: string, columns: readonly Alignment[]): string {
  const [before, ...cells] = line.split('│');
  if (cells.length !== columns.length + 1) return line;
  const aligned = columns.map((alignment, at) => {
    const [, text = '', padding = '', codes = ''] =
      PADDING.exec(cells[at]?.slice(1, -1) ?? '') ?? [];
    const count = Math.floor(padding.length * SHARES[alignment ?? 'left']);
    return ` ${padding.slice(0, count)}${text}${padding.slice(count)}${codes} `;
  });
  return [before, ...aligned, ''].join('│');
}

const OPTIONS = { preserveOrderedListMarkers: true, renderLatex: false };

/** The lines of a Markdown text that grows. Only what has changed is rendered again. */
export class MarkdownLines {
  readonly #theme: MarkdownTheme;
  readonly #clean: GrowingText;
  #text = '';
  #width = 0;
  #parts: MarkdownParts = NO_PARTS;
  /** The lines of the parts, and how many are those of parts that are done. */
  readonly #lines: string[] = [];
  #done = 0;

  /** `clean` makes a part of a text harmless. */
  constructor(theme: CodeTheme, clean: (text: string) => string = (text) => text) {
    this.#clean = new GrowingText(clean);
    const highlightCode = (code: string, language?: string) => highlighted(code, language, theme);
    this.#theme = { ...theme.markdown, highlightCode };
  }

  /** The text in lines of at most `width` columns. The next call changes the list of lines. */
  lines(given: string, width: number): readonly string[] {
    const text = this.#clean.read(given);
    if (text === this.#text && width === this.#width) return this.#lines;
    // Comparing a slice takes a small part of the time of `startsWith` for long texts.
    const hasGrown = width === this.#width && text.slice(0, this.#text.length) === this.#text;
    const before = hasGrown ? this.#parts : NO_PARTS;
    this.#text = text;
    this.#width = width;
    this.#parts = splitMarkdown(text, before);
    const { done, last } = this.#parts;
    this.#lines.length = hasGrown ? this.#done : 0;
    for (const part of done.slice(before.done.length)) this.#add(part);
    this.#done = this.#lines.length;
    this.#add(last);
    return this.#lines;
  }

  #add(part: MarkdownPart): void {
    const own = this.#markdown(part);
    if (own.length === 0) return;
    if (this.#lines.length > 0 && !part.continues) this.#lines.push('');
    // Not spread into one call: a part may have more lines than a call may have arguments.
    for (const line of own) this.#lines.push(line);
  }

  #markdown({ text, opening, isOpen }: MarkdownPart): string[] {
    const isCode = fenceOf(opening) !== undefined;
    if (isCode ? text === '' : text.trim() === '') return [];
    const whole = opening + (isCode ? text : text.replace(/^\n+/, ''));
    const markdown = new Markdown(whole, 0, 0, this.#theme, undefined, OPTIONS);
    const drawn = markdown.render(this.#width).map((line) => line.trimEnd());
    // The borders of code stand at its ends only, in so many lines as the library needs for them.
    const border = (line: string) => wrapTextWithAnsi(line, Math.max(1, this.#width)).length;
    if (isCode) drawn.splice(0, border(opening.trim().replace(/^[`~]+/, '```')));
    if (isOpen) drawn.splice(-border('```'));
    const lines = withAlignedColumns(drawn, whole).map((line) => this.#fit(line));
    while (!isOpen && lines.at(-1) === '') lines.pop();
    return lines;
  }

  /** Where there is hardly any room, the library draws lines that are too long. */
  #fit(line: string): string {
    return visibleWidth(line) > this.#width ? truncateToWidth(line, this.#width, '') : line;
  }
}
