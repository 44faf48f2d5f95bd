import type { Question } from '../../app/questions/index.ts';
import { type InOrder, queueOfWork, raceAbort } from '../../tools/values/index.ts';

/** A question that is open, with the lines that stand above it. */
export interface OpenQuestion extends Question {
  readonly lines: readonly string[];
  /** Whether it follows from an answer that the user has given just now. */
  readonly isFollowUp: boolean;
  /** Gives the answer: the id of a choice, or a line if there are no choices. Undefined: no answer will come. */
  readonly answer: (answer: string | undefined) => void;
  /** Closes the question without an answer: whoever has asked gets an error. */
  readonly dismiss: () => void;
}

/**
 * Questions to the user, one after the other: approvals, calls whose outcome is unknown, and what servers
 * want to know. `onChange` is called when another question is open, or none.
 */
export class Questions {
  readonly #onChange: () => void;
  readonly #outside: (text: string) => void;
  #isHeld = false;
  #open: OpenQuestion | undefined;
  /** The last question of whoever asks now. */
  #before: OpenQuestion | undefined;
  #lines: string[] = [];
  readonly #inOrder: InOrder = queueOfWork();

  /** `outside` gets the lines that do not belong to a question. */
  constructor(onChange: () => void, outside: (text: string) => void) {
    this.#onChange = onChange;
    this.#outside = outside;
  }

  /** The question that is open. */
  get open(): OpenQuestion | undefined {
    return this.#open;
  }

  /** Adds lines above the question that is asked next. */
  readonly note = (text: string): void => {
    if (this.#isHeld) this.#lines.push(...text.split('\n'));
    else this.#outside(text);
  };

  /** Runs `ask` after all questions before, and settles as it does. */
  readonly hold = <T>(ask: () => Promise<T>): Promise<T> => {
    return this.#inOrder(async () => {
      this.#isHeld = true;
      try {
        return await ask();
      } finally {
        this.#isHeld = false;
        this.#before = undefined;
        // What was said behind the last question.
        for (const line of this.#lines.splice(0)) this.#outside(line);
      }
    });
  };

  /** Asks for a line. Rejects as `choose`. */
  readonly askLine = (text: string, signal: AbortSignal): Promise<string | undefined> =>
    this.choose({ text: text.replace(/[ >]+$/, ''), choices: [], marked: '' }, signal);

  /**
   * Asks, and resolves with the id of the choice. Rejects with the reason of the signal, and if it is
   * dismissed.
   */
  readonly choose = async (
    question: Question,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    // It closes at once: the next key is not for it, even if it comes together with the answer.
    const close = (): void => {
      this.#open = undefined;
      this.#onChange();
    };
    const answer = (given: string | undefined): void => {
      close();
      resolve(given);
    };
    const dismiss = (): void => {
      close();
      reject(new Error('The question was closed here without an answer.'));
    };
    const before = this.#before;
    // A question that is repeated, because the answer was none, is about the same.
    const isRepeated = before?.text === question.text && this.#lines.length === 0;
    const lines = isRepeated ? before.lines : this.#lines;
    this.#open = { ...question, lines, isFollowUp: before !== undefined, answer, dismiss };
    this.#before = this.#open;
    this.#lines = [];
    this.#onChange();
    try {
      return await raceAbort(promise, signal);
    } catch (error) {
      close();
      throw error;
    }
  };
}
