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
