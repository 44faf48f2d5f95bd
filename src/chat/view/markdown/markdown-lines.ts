import {
  Markdown,
  type MarkdownTheme,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from '@earendil-works/pi-tui';
import { GrowingText } from './growing-text.ts';
import type { CodeTheme, Highlighter } from './highlight.ts';
import { closesFence } from './markdown-blocks.ts';
import {
  type MarkdownPart,
  type MarkdownParts,
  NO_PARTS,
  splitMarkdown,
} from './markdown-parts.ts';
import { withAlignedColumns } from './table-columns.ts';

const OPTIONS = { preserveOrderedListMarkers: true, renderLatex: false };

/** What colours code. */
export type Highlight = Pick<Highlighter, 'lines' | 'isReady'>;

/** The lines of a Markdown text that grows. Only what has changed is rendered again. */
export class MarkdownLines {
  readonly #theme: MarkdownTheme;
  readonly #highlight: Highlight;
  /** Whether there is code that was drawn before it could be coloured. */
  #isPlain = false;
  readonly #clean: GrowingText;
  #text = '';
  #width = 0;
  #parts: MarkdownParts = NO_PARTS;
  /** Lines of the parts that are done, and what the last part has added to them. */
  readonly #lines: string[] = [];
  #done = 0;
  #rendered = 0;

  /** `clean` makes a part of a text harmless. `highlight` colours code. */
  constructor(
    { markdown }: Pick<CodeTheme, 'markdown'>,
    clean: (text: string) => string = (text) => text,
    highlight: Highlight = {
      lines: (code) => code.split('\n').map(markdown.codeBlock),
      isReady: false,
    },
  ) {
    this.#highlight = highlight;
    this.#theme = { ...markdown, highlightCode: (...code) => this.#coloured(...code) };
    this.#clean = new GrowingText(clean);
  }

  /** The text in lines of at most `width` columns. The next call changes the list of lines. */
  lines(given: string, width: number): readonly string[] {
    const text = this.#clean.read(given);
    const isAsBefore = width === this.#width && !(this.#isPlain && this.#highlight.isReady);
    if (text === this.#text && isAsBefore) return this.#lines;
    // Comparing a slice takes a small part of the time of `startsWith` for long texts.
    if (!isAsBefore || text.slice(0, this.#text.length) !== this.#text) {
      this.#parts = NO_PARTS;
      this.#done = 0;
      this.#rendered = 0;
      this.#isPlain = false;
    }
    this.#text = text;
    this.#width = width;
    this.#parts = splitMarkdown(text, this.#parts);
    const { done, last } = this.#parts;
    this.#lines.length = this.#done;
    for (const part of done.slice(this.#rendered)) this.#add(part);
    this.#rendered = done.length;
    this.#done = this.#lines.length;
    this.#add(last);
    return this.#lines;
  }

  #coloured(...code: Parameters<Highlight['lines']>): string[] {
    this.#isPlain ||= !this.#highlight.isReady;
    return this.#highlight.lines(...code);
  }

  #add(part: MarkdownPart): void {
    const own = part.fence === undefined ? this.#markdown(part) : this.#code(part, part.fence);
    if (own.length === 0) return;
    if (this.#lines.length > 0 && !part.continues) this.#lines.push('');
    // Not spread into one call: a part may have more lines than a call may have arguments.
    for (const line of own) this.#lines.push(line);
  }

  #markdown({ text, head = '' }: MarkdownPart): string[] {
    if (text.trim() === '') return [];
    const whole = head + text.replace(/^\n+/, '');
    const markdown = new Markdown(whole, 0, 0, this.#theme, undefined, OPTIONS);
    const drawn = markdown.render(this.#width).map((line) => line.trimEnd());
    const lines = withAlignedColumns(drawn, whole).map((line) => this.#fit(line));
    while (lines.at(-1) === '') lines.pop();
    return lines;
  }

  /** A part of a block of code, drawn as the library draws a whole block. */
  #code({ text, opensFence }: MarkdownPart, fence: string): string[] {
    if (text === '') return [];
    const { codeBlockBorder, codeBlockIndent = '  ' } = this.#theme;
    const code = text.replace(/\n$/, '').split('\n');
    const first = opensFence ? code.splice(0, 1) : [];
    const last = closesFence(code.at(-1) ?? '', fence) ? code.splice(-1) : [];
    const language = fence.replace(/^[ `~]+/, '');
    const inside = code.length === 0 ? [] : this.#coloured(code.join('\n'), language);
    return [
      ...first.map((line) => codeBlockBorder(line.trim())),
      ...inside.map((line) => `${codeBlockIndent}${line}`),
      ...last.map((line) => codeBlockBorder(line.trim())),
    ]
      .flatMap((line) => wrapTextWithAnsi(line, Math.max(1, this.#width)))
      .map((line) => this.#fit(line.trimEnd()));
  }

  /** Where there is hardly any room, the library draws lines that are too long. */
  #fit(line: string): string {
    return visibleWidth(line) > this.#width ? truncateToWidth(line, this.#width, '') : line;
  }
}
