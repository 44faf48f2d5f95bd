import { ownProperty, truncate } from '../../../tools/values/index.ts';
import { agentGrace, Deadline } from '../../timing/index.ts';
import type {
  Ending,
  OnUpdate,
  SubagentAnswer,
  SubagentQuestion,
  SubagentResult,
  SubagentTask,
  Work,
  WorkResult,
} from './engine.ts';
import { failureText } from './failure-text.ts';

/** Maximum characters of an error in a result. */
const MAX_ERROR = 300;

/** A child at work: its signal, its time limit and its open questions. */
export class Child {
  readonly #task: SubagentTask;
  readonly #onUpdate: OnUpdate;
  readonly #controller = new AbortController();
  readonly #stop = new AbortController();
  readonly #questions = new Map<string, PromiseWithResolvers<SubagentAnswer>>();
  readonly #limit: Deadline;
  readonly #givenUp = Promise.withResolvers<Ending>();
  #grace: Deadline | undefined;
  #aborted: Pick<Ending, 'status' | 'error'> | undefined;
  #isOver = false;

  constructor(task: SubagentTask, onUpdate: OnUpdate) {
    this.#task = task;
    this.#onUpdate = onUpdate;
    this.#limit = new Deadline(task.timeout, () =>
      this.#abort('timed_out', `It took longer than ${task.timeout / 1000} s.`),
    );
  }

  /** Runs the work. Resolves when the work has settled or is given up. Never rejects. */
  async run(work: Work): Promise<SubagentResult> {
    const { child, id } = this.#task;
    // An abort after the work has settled does not count.
    const settled = this.#begin(work).then(
      (result): Ending => ({ ...checked(result), ...this.#aborted }),
      (error): Ending => ({ ...failed(error), ...this.#aborted }),
    );
    const { status, text, error } = await Promise.race([settled, this.#givenUp.promise]);
    this.#isOver = true;
    this.#limit.pause();
    this.#grace?.pause();
    this.#rejectQuestions(new Error('The task is over.'));
    return { child, id, status, text, ...(error === undefined ? {} : { error }) };
  }

  cancel(): void {
    this.#abort('cancelled', 'It was cancelled.');
  }

  /** The child may start no more children of its own. */
  stop(reason: string): void {
    this.#stop.abort(reason);
  }

  answer(id: string, answer: SubagentAnswer): void {
    const question = this.#questions.get(id);
    if (!question) return;
    this.#questions.delete(id);
    if (this.#questions.size === 0) this.#limit.resume();
    question.resolve(answer);
  }

  /** Starts the work, which is the host's code and may throw. */
  #begin(work: Work): Promise<WorkResult> {
    const { child } = this.#task;
    try {
      return Promise.resolve(
        work(this.#task, {
          signal: this.#controller.signal,
          stop: this.#stop.signal,
          tell: (event) => {
            if (!this.#isOver) this.#onUpdate({ type: 'progress', child, event });
          },
          ask: (question) => this.#ask(question),
        }),
      );
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #ask(question: SubagentQuestion): Promise<SubagentAnswer> {
    const { signal } = this.#controller;
    const asked = Promise.withResolvers<SubagentAnswer>();
    // If the child no longer waits, the rejection must not count as unhandled.
    asked.promise.catch(() => {});
    if (this.#isOver) asked.reject(new Error('The task is over.'));
    else if (signal.aborted) asked.reject(signal.reason);
    else if (this.#questions.has(question.id)) {
      asked.reject(new Error(`The question "${question.id}" is open already.`));
    } else {
      this.#questions.set(question.id, asked);
      this.#limit.pause();
      this.#onUpdate({ type: 'question', child: this.#task.child, question });
    }
    return asked.promise;
  }

  #abort(status: 'timed_out' | 'cancelled', error: string): void {
    const { signal } = this.#controller;
    if (signal.aborted) return;
    this.#limit.pause();
    // Set in a microtask: work that has already returned keeps its result, and later work gets this one.
    queueMicrotask(() => {
      this.#aborted = { status, error };
    });
    const name = status === 'timed_out' ? 'TimeoutError' : 'AbortError';
    this.#controller.abort(new DOMException(error, name));
    this.#rejectQuestions(signal.reason);
    this.#grace = new Deadline(agentGrace(this.#task.depth), () => {
      this.#givenUp.resolve({ status, text: '', error: `${error} It did not stop in time.` });
    });
  }

  #rejectQuestions(reason: unknown): void {
    for (const question of this.#questions.values()) question.reject(reason);
    this.#questions.clear();
  }
}

function checked(result: WorkResult): WorkResult {
  const isResult = typeof ownProperty(result, 'status') === 'string';
  return isResult ? result : failed('The worker returned no result.');
}

function failed(error: unknown): WorkResult {
  const message = failureText(error).replace(/\s+/g, ' ').trim();
  return { status: 'failed', text: '', error: truncate(message, MAX_ERROR) };
}
