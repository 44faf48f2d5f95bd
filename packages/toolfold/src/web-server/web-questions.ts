import { randomUUID } from 'node:crypto';
import { raceAbort } from '@toolfold/core/internal/values';
import type { Answer, Ask, Question } from '../questions/index.ts';
import type { WireQuestion } from '../web-wire/index.ts';
import { gone, refused } from './requests.ts';

interface OpenQuestion {
  readonly asked: WireQuestion;
  readonly resolve: (answer: Answer) => void;
}

/** The open questions of a session, all at once. The page answers each by its id. */
export class WebQuestions {
  readonly #open = new Map<string, OpenQuestion>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** In the order in which they were asked. */
  get open(): readonly WireQuestion[] {
    return [...this.#open.values()].map(({ asked }) => asked);
  }

  readonly ask: Ask = async (question, signal) => {
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#open.set(id, { asked: { ...question, id, since: Date.now() }, resolve });
    this.#onChange();
    try {
      return await raceAbort(promise, signal);
    } finally {
      this.#open.delete(id);
      this.#onChange();
    }
  };

  /** Answers a question. Throws `gone` if it is not open, and `invalid-answer` if it does not offer the choice. */
  answer(id: string, answer: Answer): void {
    const question = this.#open.get(id);
    if (!question) throw gone('This question is not open any more.', 'It was answered elsewhere.');
    if (!answersOf(question.asked).includes(answer.choice))
      throw refused('invalid-answer', 'The question does not offer this answer.', 'Choose again.');
    // A second answer that arrives before the question has left finds it gone.
    this.#open.delete(id);
    question.resolve(answer);
  }
}

/** The ids that answer a question. A choice that shows a text or asks again is none. */
function answersOf({ choices }: Question): readonly string[] {
  return choices.flatMap(({ id, confirm, shows }) => {
    if (shows !== undefined) return [];
    return confirm ? answersOf({ choices: confirm.choices } as Question).filter(isNoBack) : [id];
  });
}

function isNoBack(id: string): boolean {
  return id !== 'back';
}
