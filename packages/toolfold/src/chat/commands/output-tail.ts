import { stripControls } from '@toolfold/mcp/internal/mcp/controls';

/** Characters that are kept of an output at least. */
const KEPT = 100_000;

/** The end of an output that may be endless: bounded, as lines, without secrets and control characters. */
export class OutputTail {
  readonly #hide: (text: string) => string;
  #text = '';
  #dropped = 0;

  /** `hide` replaces secrets. */
  constructor(hide: (text: string) => string) {
    this.#hide = hide;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length < 2 * KEPT) return;
    // Secrets are replaced before the cut: half of one would not be known.
    const whole = this.#hide(this.#text);
    const cut = whole.indexOf('\n', whole.length - KEPT) + 1 || whole.length - KEPT;
    this.#dropped += whole.slice(0, cut).split('\n').length - 1;
    this.#text = whole.slice(cut);
  }

  /** Lines that were dropped before those that are kept. */
  get dropped(): number {
    return this.#dropped;
  }

  /** A carriage return begins a line anew, as bars of progress do. */
  get lines(): readonly string[] {
    const drawn = this.#text
      .replace(/\r+\n/g, '\n')
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => line.slice(line.lastIndexOf('\r') + 1));
    const text = this.#hide(stripControls(this.#hide(drawn.join('\n'))));
    return text === '' ? [] : text.split('\n');
  }
}
