import type { Lines } from './drawing.ts';

/** The lines of parts, one behind the other. Parts that are the same objects as before are not joined again. */
export class JoinedLines {
  #parts: readonly Lines[] = [];
  /** Where each part ends. */
  readonly #ends: number[] = [];
  readonly #text: string[] = [];

  /** The lines of these parts. The next call changes the list. */
  join(parts: readonly Lines[]): string[] {
    let same = 0;
    while (same < parts.length && parts[same] === this.#parts[same]) same += 1;
    this.#ends.length = same;
    this.#text.length = this.#ends[same - 1] ?? 0;
    for (const { text } of parts.slice(same)) {
      for (const line of text) this.#text.push(line);
      this.#ends.push(this.#text.length);
    }
    this.#parts = parts;
    return this.#text;
  }

  /** What opens and closes where this line is clicked. */
  toggleAt(line: number): string | undefined {
    const part = this.#ends.findIndex((end) => line < end);
    return this.#parts[part]?.toggles?.get(line - (this.#ends[part - 1] ?? 0));
  }
}
