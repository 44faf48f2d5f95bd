import { errorMessage } from '../../../errors.ts';
import { cut, own } from '../../../tools/values/index.ts';
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

/** Characters of an error that a result shows. */
const MAX_ERROR = 300;

/** One task at work: its signal, its clock and its open questions. */
export class WorkingChild {
  readonly #task: SubagentTask;
  readonly #onUpdate: OnUpdate;
  readonly #controller = new AbortController();
  readonly #stop = new AbortController();
  readonly #questions = new Map<string, PromiseWithResolvers<SubagentAnswer>>();
  readonly #deadline: Deadline;
  readonly #givenUp = Promise.withResolvers<Ending>();
  #patience: Deadline | undefined;
  #ended: { readonly status: 'timed_out' | 'cancelled'; readonly error: string } | undefined;
  #isOver = false;

  constructor(task: SubagentTask, onUpdate: OnUpdate) {
    this.#task = task;
    this.#onUpdate = onUpdate;
    this.#deadline = new Deadline(task.timeout, () =>
      this.#end('timed_out', `It took longer than ${task.timeout / 1000} s.`),
    );
  }

  /** Resolves when the work has settled, however it has, or is given up. */
  async do(work: Work): Promise<SubagentResult> {
    const { child, id } = this.#task;
    const settled = this.#begin(work).then(
      (result) => this.#ending(result),
      (error) => this.#ending(failed(error)),
    );
    const { status, text, error } = await Promise.race([settled, this.#givenUp.promise]);
    this.#isOver = true;
    this.#deadline.pause();
    this.#patience?.pause();
    this.#reject(over());
    return { child, id, status, text, ...(error === undefined ? {} : { error }) };
  }

  /** Read as soon as the work has settled: what ends it later does not count. */
  #ending(result: WorkResult): Ending {
    const said = typeof own(result, 'status') === 'string' ? result : failed('It gave no result.');
    return { ...said, ...this.#ended };
  }

  cancel(): void {
    this.#end('cancelled', 'It was cancelled.');
  }

  /** It is to send no more children of its own. */
  stop(reason: string): void {
    this.#stop.abort(reason);
  }

  answer(id: string, answer: SubagentAnswer): void {
    const question = this.#questions.get(id);
    if (!question) return;
    this.#questions.delete(id);
    if (this.#questions.size === 0) this.#deadline.resume();
    question.resolve(answer);
  }

  /** What the work comes to; it may be anybody's, and throw or return anything. */
  #begin(work: Work): Promise<WorkResult> {
    try {
      return Promise.resolve(
        work(this.#task, {
          signal: this.#controller.signal,
          stop: this.#stop.signal,
          tell: (event) => {
            if (this.#isOver) return;
            this.#onUpdate({ type: 'progress', child: this.#task.child, event });
          },
          ask: (question) => this.#ask(question),
        }),
      );
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #ask(question: SubagentQuestion): Promise<SubagentAnswer> {
    const asked = Promise.withResolvers<SubagentAnswer>();
    // One for which the child no longer waits is nobody's unhandled rejection.
    asked.promise.catch(() => {});
    if (this.#isOver) asked.reject(over());
    else if (this.#controller.signal.aborted) asked.reject(this.#controller.signal.reason);
    else if (this.#questions.has(question.id)) {
      asked.reject(new Error(`The question "${question.id}" is open already.`));
    } else {
      this.#questions.set(question.id, asked);
      this.#deadline.pause();
      this.#onUpdate({ type: 'question', child: this.#task.child, question });
    }
    return asked.promise;
  }

  #end(status: 'timed_out' | 'cancelled', error: string): void {
    const { signal } = this.#controller;
    if (signal.aborted) return;
    this.#deadline.pause();
    // Noted in its turn: work that has returned by now is seen before, what the signal ends after.
    queueMicrotask(() => {
      this.#ended = { status, error };
    });
    const name = status === 'timed_out' ? 'TimeoutError' : 'AbortError';
    this.#controller.abort(new DOMException(error, name));
    this.#reject(signal.reason);
    // After that it is given up.
    this.#patience = new Deadline(agentGrace(this.#task.depth), () => {
      const given = `${error} It was told to stop and has not.`;
      this.#givenUp.resolve({ status, text: '', error: given });
    });
  }

  #reject(reason: unknown): void {
    for (const question of this.#questions.values()) question.reject(reason);
    this.#questions.clear();
  }
}

function failed(error: unknown): WorkResult {
  const message = errorMessage(error).replace(/\s+/g, ' ').trim();
  return { status: 'failed', text: '', error: cut(message, MAX_ERROR) };
}

function over(): Error {
  return new Error('The task is over.');
}
