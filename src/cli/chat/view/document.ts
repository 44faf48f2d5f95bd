import type { Component, TuiMouseEvent, TuiMouseEventResult } from '@earendil-works/pi-tui';
import type { ScreenTurn, ScreenView } from '../../../agent/index.ts';
import { type Drawing, joined, type Lines, markdownAt } from './drawing.ts';
import type { Theme } from './theme.ts';
import { turnLines } from './turn-lines.ts';

/** Lines of the chat itself, such as the output of a command. They stand behind a turn. */
export interface Aside {
  /** How many turns stand before it. */
  readonly after: number;
  /** Draws it. The texts are already harmless. */
  readonly draw: (width: number) => readonly string[];
}

export interface DocumentOptions {
  readonly theme: Theme;
  readonly hide: (text: string) => string;
  readonly view: () => ScreenView;
  readonly asides: () => readonly Aside[];
  readonly onToggle: () => void;
  /** Whether a turn runs, here or in another process. */
  readonly isRunning: () => boolean;
}

/** The whole conversation. What has not changed is not drawn again. */
export class ChatDocument implements Component {
  readonly #options: DocumentOptions;
  readonly #markdown: Drawing['markdown'];
  readonly #opened = new Set<string>();
  #areAllOpen = false;
  /** Changes when something opens or closes. */
  #version = 0;
  #drawn = new WeakMap<ScreenTurn, { readonly key: string; readonly lines: Lines }>();
  #toggles: ReadonlyMap<number, string> = new Map();

  constructor(options: DocumentOptions) {
    this.#options = options;
    this.#markdown = markdownAt(options.theme);
  }

  /** Opens all cards, or closes them. */
  toggleAll(): void {
    this.#areAllOpen = !this.#areAllOpen;
    this.#opened.clear();
    this.#version += 1;
    this.#options.onToggle();
  }

  handleMouse({ type, button, y }: TuiMouseEvent): TuiMouseEventResult | undefined {
    const id = this.#toggles.get(y);
    if (type !== 'click' || button !== 'left' || id === undefined) return;
    if (!this.#opened.delete(id)) this.#opened.add(id);
    this.#version += 1;
    this.#options.onToggle();
    return { handled: true };
  }

  invalidate(): void {
    this.#drawn = new WeakMap();
  }

  render(width: number): string[] {
    return this.renderFrom(0, width);
  }

  /** The lines from this turn on. */
  renderFrom(first: number, width: number): string[] {
    const { view, asides, theme, hide, isRunning } = this.#options;
    const { turns } = view();
    const notes = asides();
    const drawing: Drawing = {
      ...{ theme, hide, width },
      isRunning: isRunning(),
      isOpen: (id) => this.#opened.has(id) !== this.#areAllOpen,
      markdown: this.#markdown,
    };
    const all: Lines[] = [];
    const addAsides = (after: number): void => {
      for (const aside of notes)
        if (aside.after === after) {
          if (all.at(-1)?.text.at(-1)?.trim()) all.push({ text: [''] });
          all.push({ text: aside.draw(width) }, { text: [''] });
        }
    };
    if (first === 0) addAsides(0);
    turns.forEach((turn, at) => {
      if (at >= first) {
        all.push(this.#turn(turn, drawing, at, at === turns.length - 1));
        addAsides(at + 1);
      }
    });
    const { text, toggles } = joined(all);
    this.#toggles = toggles ?? new Map();
    return [...text];
  }

  #turn(turn: ScreenTurn, drawing: Drawing, at: number, isLast: boolean): Lines {
    const key = `${drawing.width} ${at} ${isLast} ${drawing.isRunning && isLast} ${this.#version}`;
    const known = this.#drawn.get(turn);
    if (known?.key === key) return known.lines;
    const lines = turnLines(turn, drawing, String(at), isLast);
    this.#drawn.set(turn, { key, lines });
    return lines;
  }
}
