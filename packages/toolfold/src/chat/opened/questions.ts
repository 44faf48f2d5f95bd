import { raceAbort } from '@toolfold/core/internal/tools/values';
import { byStep } from '../../app/asking/steps/index.ts';
import type { Answer, Ask, Question, Step } from '../../app/questions/index.ts';

/** A step of a question that is open, with the lines that stand above it. */
export interface OpenQuestion extends Step {
  /** The question that the step belongs to. */
  readonly about: Question;
  readonly lines: readonly string[];
  /** Whether it follows from an answer that the user has given just now. */
  readonly isFollowUp: boolean;
  /** Gives the answer: the id of a choice, or a line if there are no choices. Undefined: no answer will come. */
  readonly answer: (answer: string | undefined) => void;
  /** Closes the question without an answer: whoever has asked gets an error. */
  readonly dismiss: () => void;
}

/** The question that is open on a screen. `onChange` is called when another step is open, or none. */
export class Questions {
  readonly #onChange: () => void;
  readonly #hide: (text: string) => string;
  #open: OpenQuestion | undefined;
  /** The last step of the question that is asked now. */
  #before: OpenQuestion | undefined;
  #lines: string[] = [];

  /** `hide` replaces secrets. */
  constructor(onChange: () => void, hide: (text: string) => string = (text) => text) {
    this.#onChange = onChange;
    this.#hide = hide;
  }

  /** The step that is open. */
  get open(): OpenQuestion | undefined {
    return this.#open;
  }

  /** Asks. Rejects with the reason of the signal, and if the question is dismissed. One at a time. */
  readonly ask: Ask = async (question, signal): Promise<Answer | undefined> => {
    this.#before = undefined;
    this.#lines = [];
    return byStep({
      show: (text) => this.#lines.push(...this.#hide(text).split('\n')),
      askLine: (text, signal) =>
        this.#step(question, { text: text.replace(/[ >]+$/, ''), choices: [], marked: '' }, signal),
      choose: (step, signal) => this.#step(question, step, signal),
    })(question, signal);
  };

  async #step(about: Question, step: Step, signal: AbortSignal): Promise<string | undefined> {
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
    const { text, choices, marked } = step;
    const isFollowUp = this.#before !== undefined;
    const lines = this.#lines.splice(0);
    this.#open = { about, text, choices, marked, lines, isFollowUp, answer, dismiss };
    this.#before = this.#open;
    this.#onChange();
    try {
      return await raceAbort(promise, signal);
    } catch (error) {
      close();
      throw error;
    }
  }
}
