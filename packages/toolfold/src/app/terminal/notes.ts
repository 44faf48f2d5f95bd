/**
 * Writes lines for the user. While a question is open, other lines wait until it is answered.
 * Otherwise they would appear in the line that the user types, or between a question and its
 * subject.
 */
export class RunNotes {
  readonly #write: (text: string) => void;
  readonly #overwrite: (line: string) => void;
  #pending: string[] | undefined;
  /** Resolves when the open question is answered. */
  #question: Promise<void> | undefined;
  #hasProgress = false;

  /** `overwrite` replaces the current line of a terminal. */
  constructor(write: (text: string) => void, overwrite: (line: string) => void = () => {}) {
    this.#write = write;
    this.#overwrite = overwrite;
  }

  /** Writes a line at once. For lines that belong to the question itself. */
  readonly now = (text: string): void => {
    this.progress('');
    this.#write(text);
  };

  /** Shows a line that the next line replaces. An empty one clears it. Not shown during a question. */
  readonly progress = (line: string): void => {
    if (this.#pending || (line === '' && !this.#hasProgress)) return;
    this.#hasProgress = line !== '';
    this.#overwrite(line);
  };

  readonly note = (text: string): void => {
    if (this.#pending) this.#pending.push(text);
    else this.now(text);
  };

  /**
   * Runs `ask`, settles as it does, and holds back other lines meanwhile. Waits until earlier questions
   * are answered.
   */
  readonly during = async <T>(ask: () => Promise<T>): Promise<T> => {
    while (this.#question) await this.#question;
    const question = Promise.withResolvers<void>();
    this.#question = question.promise;
    const pending: string[] = [];
    this.progress('');
    this.#pending = pending;
    try {
      return await ask();
    } finally {
      this.#pending = undefined;
      for (const text of pending) this.now(text);
      this.#question = undefined;
      question.resolve();
    }
  };
}
