import { Markdown } from '@earendil-works/pi-tui';
import {
  type MarkdownPart,
  type MarkdownParts,
  NO_PARTS,
  splitMarkdown,
} from './markdown-parts.ts';
import type { Theme } from './theme.ts';

const OPTIONS = { preserveOrderedListMarkers: true, renderLatex: false };

/** The lines of a Markdown text that grows. Only what has changed is rendered again. */
export class MarkdownLines {
  readonly #theme: Theme;
  #text = '';
  #width = 0;
  #parts: MarkdownParts = NO_PARTS;
  /** Lines of the parts that are done. */
  #done: string[] = [];
  #rendered = 0;

  constructor(theme: Theme) {
    this.#theme = theme;
  }

  /** The text in lines of at most `width` columns. The text is already free of control characters. */
  lines(text: string, width: number): readonly string[] {
    if (width !== this.#width || !text.startsWith(this.#text)) {
      this.#parts = NO_PARTS;
      this.#done = [];
      this.#rendered = 0;
    }
    this.#text = text;
    this.#width = width;
    this.#parts = splitMarkdown(text, this.#parts);
    const { done, last } = this.#parts;
    for (const part of done.slice(this.#rendered)) this.#add(this.#done, part);
    this.#rendered = done.length;
    const lines = [...this.#done];
    if (last.text.trim() !== '') this.#add(lines, last);
    return lines;
  }

  #add(lines: string[], part: MarkdownPart): void {
    const markdown = new Markdown(part.text, 0, 0, this.#theme.markdown, undefined, OPTIONS);
    const own = markdown.render(this.#width).map((line) => line.trimEnd());
    while (own.at(-1) === '') own.pop();
    const from = part.opensInCode ? 1 : 0;
    const rest = own.slice(from, part.endsInCode ? -1 : undefined);
    if (lines.length > 0 && !part.opensInCode) lines.push('');
    // Not spread into one call: a part may have more lines than a call may have arguments.
    for (const line of rest) lines.push(line);
  }
}
