import { type Component, type Focusable, Input, matchesKey } from '@earendil-works/pi-tui';
import { formatCount } from '../../terminal/index.ts';
import type { OpenQuestion } from '../host/index.ts';
import { cleanLine, cleanText, type Theme, wrapped } from '../view/index.ts';

/** Most characters above a question, and of the question. */
const MAX_TEXT = 200_000;
const MAX_QUESTION = 500;
/** Milliseconds in which a key is not an answer: it was meant for what stood there before. */
const PAUSE = 300;

/** Lines that a key scrolls by. */
const SCROLL = { up: -1, down: 1, pageUp: -10, pageDown: 10 } as const;

export interface QuestionPanelOptions {
  readonly theme: Theme;
  /** Rows for what stands above the question. */
  readonly rows: () => number;
  /** Whether the user is writing a message, which keeps the keys until Tab is pressed. */
  readonly isWriting: () => boolean;
  readonly onChange: () => void;
}

/**
 * A question to the user: an approval, an unknown call, a form of a server. It takes no key while the user
 * writes a message, nor in the moment after it opens or after the user has written: nobody approves a call by
 * accident.
 */
export class QuestionPanel implements Component, Focusable {
  readonly question: OpenQuestion;
  readonly #options: QuestionPanelOptions;
  readonly #input = new Input();
  #isReady = false;
  #isChosen = false;
  #top = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(question: OpenQuestion, options: QuestionPanelOptions) {
    this.question = question;
    this.#options = options;
    this.#input.onSubmit = (line) => question.answer(line);
    this.pause();
  }

  /** Takes no key for a moment, because something else took the keys until now. */
  pause(): void {
    this.#isReady = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isReady = true;
      this.#options.onChange();
    }, PAUSE).unref();
  }

  /** Whether keys are for the question. */
  get isActive(): boolean {
    return this.#isReady && (this.#isChosen || !this.#options.isWriting());
  }

  /** The user wants to answer now. Returns false while the question takes no keys at all. */
  choose(): boolean {
    if (!this.#isReady) return false;
    this.#isChosen = true;
    this.pause();
    return true;
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(focused: boolean) {
    this.#input.focused = focused;
  }

  render(width: number): string[] {
    const { text } = this.question;
    const { theme } = this.#options;
    const asked = wrapped(cleanLine(text, MAX_QUESTION), width).map(theme.warn);
    if (this.isActive)
      return [...this.#above(width), ...asked, ...this.#input.render(Math.max(4, width))];
    const hint = this.#isReady ? ['Tab: answer the question'] : [];
    return [...this.#above(width), ...hint.map((line) => theme.warn(cleanLine(line, width)))];
  }

  handleInput(data: string): void {
    const { keys, answer } = this.question;
    const isAnswer = data.length === 1 && keys.includes(data.toLowerCase());
    const scroll = Object.entries(SCROLL).find(([key]) => matchesKey(data, key as 'up'));
    if (isAnswer && this.#input.getValue() === '') answer(data);
    else if (scroll) this.#top += scroll[1];
    else if (!matchesKey(data, 'escape')) this.#input.handleInput(data);
  }

  invalidate(): void {
    this.#input.invalidate();
  }

  /** What the question is about. A long text is scrolled with the arrow keys. */
  #above(width: number): string[] {
    const { theme, rows } = this.#options;
    const lines = wrapped(cleanText(this.question.lines.join('\n'), MAX_TEXT), width);
    const room = Math.max(2, rows());
    if (lines.length <= room) return lines;
    this.#top = Math.max(0, Math.min(this.#top, lines.length - room));
    const place = `lines ${this.#top + 1} to ${this.#top + room} of ${formatCount(lines.length, 'line')} (arrow keys)`;
    return [...lines.slice(this.#top, this.#top + room), theme.dim(cleanLine(place, width))];
  }
}
