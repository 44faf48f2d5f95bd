import {
  type Component,
  type Focusable,
  fuzzyFilter,
  Input,
  type SelectItem,
  SelectList,
} from '@earendil-works/pi-tui';
import type { MenuItem } from '../chat/index.ts';
import { cleanLine, type Theme } from '../chat-view/index.ts';

/** Rows of a list. */
const ROWS = 8;
const KEYS = '  type to search · ↑ ↓ · Enter: choose · Esc: close';
/** Most characters of an item. */
const MAX_ITEM = 200;

/** A list to choose from. What is typed filters it. */
export class Picker implements Component, Focusable {
  readonly #theme: Theme;
  readonly #title: string;
  readonly #items: readonly SelectItem[];
  readonly #done: (value: string | undefined) => void;
  readonly #input = new Input();
  /** The items that are found. Undefined if there are none. */
  #list: SelectList | undefined;

  /** `done` gets the value of the chosen item, or undefined. */
  constructor(
    { theme, title }: { theme: Theme; title: string },
    items: readonly MenuItem[],
    done: (value: string | undefined) => void,
  ) {
    this.#theme = theme;
    this.#title = title;
    this.#items = items.map(({ value, label = value, description }) => ({
      value,
      label: cleanLine(label, MAX_ITEM),
      ...(description === undefined ? {} : { description: cleanLine(description, MAX_ITEM) }),
    }));
    this.#done = done;
    this.#input.onEscape = () => done(undefined);
    this.#list = this.#listOf(this.#items);
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(focused: boolean) {
    this.#input.focused = focused;
  }

  render(width: number): string[] {
    const room = Math.max(4, width);
    const [line = ''] = this.#input.render(room);
    const rows = this.#list?.render(room) ?? [
      this.#theme.dim('  Nothing is found.'.slice(0, room)),
    ];
    const rule = this.#theme.dim('─'.repeat(Math.max(1, width)));
    const keys = width < 60 ? '' : this.#theme.dim(KEYS);
    return [rule, `${this.#theme.bold(this.#title)}${keys}`, line, ...rows];
  }

  /** The list takes the keys that move and choose, the line above it takes the others. */
  handleInput(data: string): void {
    const before = this.#input.getValue();
    this.#input.handleInput(data);
    const typed = this.#input.getValue();
    const texts = ({ label, description = '' }: SelectItem) => `${label} ${description}`;
    if (typed === before) this.#list?.handleInput(data);
    else this.#list = this.#listOf(fuzzyFilter([...this.#items], typed, texts));
  }

  invalidate(): void {
    this.#list?.invalidate();
  }

  #listOf(items: readonly SelectItem[]): SelectList | undefined {
    if (items.length === 0) return;
    const list = new SelectList([...items], ROWS, this.#theme.select);
    list.onSelect = ({ value }) => this.#done(value);
    return list;
  }
}
