import { type Aside, cleanText, hanging, type Theme } from '../view/index.ts';

/** Most characters of a line of the chat itself. */
const MAX_LINE = 2_000;

/** What the chat itself has said: outputs of commands, and what went wrong outside a turn. */
export class Asides {
  readonly #theme: Theme;
  readonly #hide: (text: string) => string;
  readonly #all: Aside[] = [];

  constructor(theme: Theme, hide: (text: string) => string) {
    this.#theme = theme;
    this.#hide = hide;
  }

  get all(): readonly Aside[] {
    return this.#all;
  }

  /** Adds lines behind this number of turns. They are made harmless. */
  add(lines: readonly string[], after: number): void {
    const clean = lines.map((line) => cleanText(this.#hide(line), MAX_LINE).replaceAll('\n', ' '));
    const draw = (width: number) =>
      clean.flatMap((line) => hanging(line, width).map(this.#theme.dim));
    this.#all.push({ after, draw });
  }

  /** Removes the first ones: they were about another session. */
  forget(count: number): void {
    this.#all.splice(0, count);
  }
}
