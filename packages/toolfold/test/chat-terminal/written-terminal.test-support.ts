import { setTimeout as wait } from 'node:timers/promises';
import type { Terminal } from '@earendil-works/pi-tui';

/** A terminal that keeps what was written. */
export class WrittenTerminal implements Terminal {
  readonly columns = 80;
  readonly rows = 24;
  readonly kittyProtocolActive = false;
  written = '';
  isDrained = false;
  isOn = false;
  #onInput: (data: string) => void = () => {};

  start(onInput: (data: string) => void): void {
    this.isOn = true;
    this.#onInput = onInput;
  }

  /** Presses the keys of a text, one after the other. */
  type(text: string): void {
    for (const key of text) this.press(key);
  }

  /** Presses a key or moves the mouse, by what the terminal sends then. */
  press(sequence: string): void {
    this.#onInput(sequence);
  }

  write(data: string): void {
    this.written += data;
  }

  /** Resolves when this was written, with all that was written since the last call. */
  async shows(text: string): Promise<string> {
    const stop = Date.now() + 3000;
    while (!this.written.includes(text)) {
      if (Date.now() > stop)
        throw new Error(`no ${text} in ${JSON.stringify(this.written.slice(-1500))}`);
      await wait(10);
    }
    const { written } = this;
    this.written = '';
    return written;
  }

  stop(): void {
    this.isOn = false;
  }

  async drainInput(): Promise<void> {
    this.isDrained = true;
  }

  moveBy(): void {}
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setTitle(): void {}
  setProgress(): void {}
}
