import { harmlessInput } from '../input/index.ts';

/** What Up brings back: what was sent or taken out of the box here, and below it what earlier sessions hold. */
export class InputHistory {
  readonly #put: (text: string) => void;
  /** What was typed before the rest was read. */
  #early: string[] = [];

  /** `put`: the editor takes a text on top of the others. */
  constructor(put: (text: string) => void) {
    this.#put = put;
  }

  add(text: string): void {
    const line = harmlessInput(text);
    this.#early.push(line);
    this.#put(line);
  }

  /** Puts earlier texts, the newest first, below what was typed meanwhile. */
  load(earlier: readonly string[]): void {
    for (const text of [...earlier.toReversed(), ...this.#early.splice(0)]) this.#put(text);
  }
}
