import type { Component } from '@earendil-works/pi-tui';

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
  /** Lines before the first one that is drawn: those that stood there before the size changed. */
  #skipped = 0;

  constructor(parts: readonly Component[], rows: () => number) {
    this.#parts = parts;
    this.#rows = rows;
  }

  render(width: number): string[] {
    const rows = this.#rows();
    const all = this.#parts.flatMap((part) => part.render(width));
    if (this.#width !== width || this.#height !== rows) {
      const isFirst = this.#width === 0;
      this.#skipped = isFirst ? 0 : Math.max(0, all.length - rows);
      this.#drawn = [];
    }
    this.#width = width;
    this.#height = rows;
    const lines = all.slice(Math.min(this.#skipped, Math.max(0, all.length - 1)));
    const gone = Math.max(0, this.#drawn.length - rows);
    for (let at = 0; at < Math.min(gone, lines.length); at++) lines[at] = this.#drawn[at] ?? '';
    this.#drawn = lines;
    return lines;
  }

  invalidate(): void {
    for (const part of this.#parts) part.invalidate();
  }
}

/** The output without what clears the lines that have scrolled away (CSI 3 J). */
export function withoutScrollbackClear(data: string): string {
  return data.replaceAll('\u001B[3J', '');
}
