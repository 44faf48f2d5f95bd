import type { Terminal } from '@earendil-works/pi-tui';

/** A terminal that keeps nothing: `onWrite` gets what is written, `type` presses keys. */
export class RecordedTerminal implements Terminal {
  readonly columns: number;
  readonly rows: number;
  readonly kittyProtocolActive = false;
  onWrite: (data: string) => void = () => {};
  #onInput: (data: string) => void = () => {};

  constructor(columns = 120, rows = 40) {
    this.columns = columns;
    this.rows = rows;
  }

  start(onInput: (data: string) => void): void {
    this.#onInput = onInput;
  }

  type(key: string): void {
    this.#onInput(key);
  }

  write(data: string): void {
    this.onWrite(data);
  }

  stop(): void {}
  async drainInput(): Promise<void> {}
  moveBy(): void {}
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setTitle(): void {}
  setProgress(): void {}
}
