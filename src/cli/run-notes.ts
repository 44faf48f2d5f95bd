/**
 * Lines for people. Those that come while a question is open wait for its end: written into the line
 * that somebody is typing, they would hide the question.
 */
export class RunNotes {
  readonly #write: (text: string) => void;
  #waiting: string[] | undefined;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  readonly note = (text: string): void => {
    if (this.#waiting) this.#waiting.push(text);
    else this.#write(text);
  };

  /** Settles as `ask` does. One question at a time. */
  async during<T>(ask: () => Promise<T>): Promise<T> {
    const waiting: string[] = [];
    this.#waiting = waiting;
    try {
      return await ask();
    } finally {
      this.#waiting = undefined;
      for (const text of waiting) this.#write(text);
    }
  }
}
