/**
 * Writes lines for the user. While a question is open, other lines wait until it is answered.
 * Otherwise they would appear in the line that the user types, or between a question and its
 * subject.
 */
export class RunNotes {
  /** Writes a line at once. For lines that belong to the question itself. */
  readonly now: (text: string) => void;
  #pending: string[] | undefined;

  constructor(write: (text: string) => void) {
    this.now = write;
  }

  readonly note = (text: string): void => {
    if (this.#pending) this.#pending.push(text);
    else this.now(text);
  };

  /**
   * Runs `ask`, settles as it does, and holds back other lines meanwhile. Only one call at a time.
   */
  readonly during = async <T>(ask: () => Promise<T>): Promise<T> => {
    const pending: string[] = [];
    this.#pending = pending;
    try {
      return await ask();
    } finally {
      this.#pending = undefined;
      for (const text of pending) this.now(text);
    }
  };
}
