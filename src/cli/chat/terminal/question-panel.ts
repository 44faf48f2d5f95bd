import { type Component, type Focusable, Input, matchesKey } from '@earendil-works/pi-tui';
import type { OpenQuestion } from '../talk/index.ts';
import { cleanLine, cleanText, type Theme, wrapped } from '../view/index.ts';

/** Most characters above a question, and of the question. */
const MAX_TEXT = 20_000;
const MAX_QUESTION = 500;
/** Lines above a question that are shown. */
const ROWS = 40;

/** A question to the user: an approval, an unknown call, a form of a server. */
export class QuestionPanel implements Component, Focusable {
  readonly question: OpenQuestion;
  readonly #theme: Theme;
  readonly #input = new Input();

  constructor(question: OpenQuestion, theme: Theme) {
    this.question = question;
    this.#theme = theme;
    this.#input.onSubmit = (line) => question.answer(line);
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(focused: boolean) {
    this.#input.focused = focused;
  }

  render(width: number): string[] {
    const { lines, text } = this.question;
    const above = wrapped(cleanText(lines.join('\n'), MAX_TEXT), width).slice(0, ROWS);
    const asked = wrapped(cleanLine(text, MAX_QUESTION), width).map(this.#theme.warn);
    return [...above, ...asked, ...this.#input.render(Math.max(4, width))];
  }

  handleInput(data: string): void {
    const { keys, answer } = this.question;
    const isAnswer = data.length === 1 && keys.includes(data.toLowerCase());
    if (isAnswer && this.#input.getValue() === '') answer(data);
    else if (!matchesKey(data, 'escape')) this.#input.handleInput(data);
  }

  invalidate(): void {
    this.#input.invalidate();
  }
}
