import {
  type Component,
  type Focusable,
  fuzzyFilter,
  Input,
  matchesKey,
  type SelectItem,
  SelectList,
} from '@earendil-works/pi-tui';
import { cleanLine, type Theme } from '../view/index.ts';

/** Rows of a list. */
const ROWS = 8;
/** Most characters of an item. */
const MAX_ITEM = 200;

const CANCEL = ['escape', 'ctrl+c'] as const;
const MOVE = ['up', 'down', 'enter', 'pageUp', 'pageDown'] as const;

/** A list to choose from. What is typed filters it. */
export class Picker implements Component, Focusable {
  readonly #theme: Theme;
  readonly #title: string;
  readonly #items: readonly SelectItem[];
  readonly #done: (value: string | undefined) => void;
  readonly #input = new Input();
  #list: SelectList;
  #found = 0;

  /** `done` gets the value of the chosen item, or undefined. */
  constructor(
    { theme, title }: { theme: Theme; title: string },
    items: readonly SelectItem[],
    done: (value: string | undefined) => void,
  ) {
    this.#theme = theme;
    this.#title = title;
    this.#items = items.map(({ value, label, description }) => ({
      value,
      label: cleanLine(label, MAX_ITEM),
      ...(description === undefined ? {} : { description: cleanLine(description, MAX_ITEM) }),
    }));
    this.#done = done;
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
    const rows =
      this.#found === 0
        ? [this.#theme.dim('  Nothing is found.'.slice(0, room))]
        : this.#list.render(room);
    const rule = this.#theme.dim('─'.repeat(Math.max(1, width)));
    return [rule, this.#theme.bold(this.#title), line, ...rows];
  }

  handleInput(data: string): void {
    if (CANCEL.some((key) => matchesKey(data, key))) this.#done(undefined);
    else if (MOVE.some((key) => matchesKey(data, key))) this.#list.handleInput(data);
    else this.#filter(data);
  }

  #filter(data: string): void {
    this.#input.handleInput(data);
    const found = fuzzyFilter(
      [...this.#items],
      this.#input.getValue(),
      ({ label, description = '' }) => `${label} ${description}`,
    );
    this.#list = this.#listOf(found);
  }

  invalidate(): void {
    this.#list.invalidate();
  }

  #listOf(items: readonly SelectItem[]): SelectList {
    this.#found = items.length;
    const list = new SelectList([...items], ROWS, this.#theme.select);
    list.onSelect = ({ value }) => this.#done(value);
    list.onCancel = () => this.#done(undefined);
    return list;
  }
}
