/**
 * Lines for people. Those that come while somebody is asked wait for the end of it: written into the
 * line that is being typed, or before a question that is asked again, they would hide what it is about.
 */
export class RunNotes {
  /** Writes a line at once: what belongs to the asking itself. */
  readonly now: (text: string) => void;
  #waiting: string[] | undefined;

  constructor(write: (text: string) => void) {
    this.now = write;
  }

  readonly note = (text: string): void => {
    if (this.#waiting) this.#waiting.push(text);
    else this.now(text);
  };

  /** Settles as `ask` does. One at a time. */
  readonly during = async <T>(ask: () => Promise<T>): Promise<T> => {
    const waiting: string[] = [];
    this.#waiting = waiting;
    try {
      return await ask();
    } finally {
      this.#waiting = undefined;
      for (const text of waiting) this.now(text);
    }
  };
}
