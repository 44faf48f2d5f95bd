import { type Component, type Focusable, isFocusable } from '@earendil-works/pi-tui';
import { cleanLine, type Theme } from '../view/index.ts';

/** Most characters of a message that waits. */
const MAX_QUEUED = 200;

export interface FootOptions {
  readonly theme: Theme;
  /** What the user types into now: the input, a question, or a list. */
  readonly input: () => Component;
  /** Lines above the input, such as a question that takes no keys yet. */
  readonly above: (width: number) => readonly string[];
  /** Messages that wait for the end of the turn. */
  readonly queue: () => readonly string[];
  readonly status: (width: number) => string;
}

/** The lower part of the chat: messages that wait, the input, the status line. */
export class Foot implements Component, Focusable {
  readonly #options: FootOptions;
  #focused = false;

  constructor(options: FootOptions) {
    this.#options = options;
  }

  get focused(): boolean {
    return this.#focused;
  }

  set focused(focused: boolean) {
    this.#focused = focused;
    const input = this.#options.input();
    if (isFocusable(input)) input.focused = focused;
  }

  handleInput(data: string): void {
    this.#options.input().handleInput?.(data);
  }

  render(width: number): string[] {
    const { theme, above, queue, input, status } = this.#options;
    const part = input();
    if (isFocusable(part)) part.focused = this.#focused;
    const waiting = queue().map((text) =>
      theme.dim(`↑ ${cleanLine(text, Math.min(MAX_QUEUED, Math.max(1, width - 2)))}`),
    );
    return [...waiting, ...above(width), ...part.render(width), status(width)];
  }

  invalidate(): void {
    this.#options.input().invalidate();
  }
}
