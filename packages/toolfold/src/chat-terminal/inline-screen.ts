import {
  type Component,
  ProcessTerminal,
  truncateToWidth,
  visibleWidth,
} from '@earendil-works/pi-tui';

/**
 * On the main screen, lines that have left the screen belong to the terminal: they stay as they were
 * drawn. Drawing them again would clear what the shell has printed before.
 */
export class InlineDocument implements Component {
  readonly #parts: readonly Component[];
  readonly #rows: () => number;
  #drawn: readonly string[] = [];
  #width = 0;
  #height = 0;
  /** Lines before the first one that is drawn: those that have scrolled away at the last beginning. */
  #skipped = 0;
  #isFirst = true;
  /** Lines of the last part. */
  #foot = 0;
  #isOver = false;

  constructor(parts: readonly Component[], rows: () => number) {
    this.#parts = parts;
    this.#rows = rows;
  }

  /** The next frame begins a new screen, which shows the last lines. */
  begin(): void {
    this.#width = 0;
  }

  /**
   * The next frame is the last one, without the last part. The cursor is then below it, behind a blank line.
   * Returns false if that is not so: where no other part is seen, the library would draw all lines again.
   */
  end(): boolean {
    this.#isOver = this.#foot < this.#height;
    return this.#isOver;
  }

  render(width: number): string[] {
    if (this.#isOver) {
      const kept = this.#drawn.slice(0, Math.max(0, this.#drawn.length - this.#foot));
      return [...kept, ...(kept.at(-1)?.trim() ? [''] : []), ''];
    }
    const rows = this.#rows();
    const drawn = this.#parts.map((part) => part.render(width));
    const all = drawn.flat();
    this.#foot = drawn.at(-1)?.length ?? 0;
    if (this.#width !== width || this.#height !== rows) {
      this.#skipped = this.#isFirst ? 0 : Math.max(0, all.length - rows);
      this.#isFirst = false;
      this.#drawn = [];
    }
    this.#width = width;
    this.#height = rows;
    const lines = all.slice(Math.min(this.#skipped, Math.max(0, all.length - 1)));
    const gone = Math.max(0, this.#drawn.length - rows);
    lines.forEach((line, at) => {
      if (at < gone) lines[at] = this.#drawn[at] ?? '';
      // The library ends the program at a line that is too wide, such as a wide character in one column.
      else if (visibleWidth(line) > width) lines[at] = truncateToWidth(line, width, '');
    });
    this.#drawn = lines;
    return lines;
  }

  invalidate(): void {
    for (const part of this.#parts) part.invalidate();
  }
}

/** With what the library clears the screen and the lines that have scrolled away. */
const CLEAR = '\u001B[2J\u001B[H\u001B[3J';

/** The output, where lines scroll away instead of being cleared: the shell may have printed them. */
export function scrollingInsteadOfClearing(output: string, rows: number): string {
  return output.replaceAll(CLEAR, `${'\r\n'.repeat(rows)}\u001B[H\u001B[J`);
}

/** Characters of the interface, and what stands for them where the terminal has no UTF-8. */
const SIMILAR: Readonly<Record<string, string>> = {
  ...{ '─': '-', '│': '|', '└': '`', '├': '+', '┌': '+', '┐': '+', '┘': '+', '┤': '+', '┼': '+' },
  ...{ '┬': '+', '┴': '+', '●': '*', '○': 'o', '◐': '%', '✗': 'x', '⊘': '/', '‼': '!', '❯': '>' },
  ...{ '▸': '>', '▾': 'v', '…': '~', '·': '-', '→': '>', '↑': '^', '↓': 'v', '’': "'", '‘': "'" },
  ...{ '⠋': '|', '⠙': '/', '⠹': '-', '⠸': '\\', '⠼': '|', '⠴': '/', '⠦': '-', '⠧': '\\' },
  ...{ '⠇': '|', '⠏': '/' },
  ...{ '“': '"', '”': '"', '–': '-', '—': '-', '•': '*', '█': '#', '▏': '|', '▕': '|' },
};

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The text in ASCII, with the same width in columns. Letters lose their accents. What has nothing similar
 * becomes question marks.
 */
export function asciiText(text: string): string {
  if (isAscii(text)) return text;
  let ascii = '';
  for (const { segment } of segments.segment(text))
    ascii += isAscii(segment) ? segment : similarTo(segment);
  return ascii;
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are ASCII and stay
  return /^[\x00-\x7F]*$/.test(text);
}

function similarTo(character: string): string {
  const width = visibleWidth(character);
  const letter = character.normalize('NFD').replace(/[^ -~]/g, '');
  return SIMILAR[character] ?? (letter.length === width ? letter : '?'.repeat(width));
}

/** Whether the terminal's locale has UTF-8 (POSIX: LC_ALL before LC_CTYPE before LANG). */
export function hasUtf8(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale === undefined || locale === '' || /utf-?8/i.test(locale);
}

/** A terminal that gets ASCII only. */
export class AsciiTerminal extends ProcessTerminal {
  override write(data: string): void {
    super.write(asciiText(data));
  }
}
