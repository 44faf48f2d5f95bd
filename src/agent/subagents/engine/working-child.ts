import { errorMessage } from '../../../errors.ts';
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

/** Maximum characters of an error in a result. */
const MAX_ERROR = 300;

/** One running task: its signal, its time limit and its open questions. */
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

  /** Runs the work. Resolves when the work has settled or is given up. Never rejects. */
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

  /** The ending of settled work. A cancellation or timeout after that does not count. */
  #ending(result: WorkResult): Ending {
    const isResult = typeof ownProperty(result, 'status') === 'string';
    const ending = isResult ? result : failed('The worker returned no result.');
    return { ...ending, ...this.#ended };
  }

  cancel(): void {
    this.#end('cancelled', 'It was cancelled.');
  }

  /** The child may start no more children of its own. */
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

  /** Starts the work, which is the host's code and may throw. */
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
    // If the child no longer waits, the rejection must not count as unhandled.
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
    // Set in a microtask: work that has already returned keeps its result, and later work gets this one.
    queueMicrotask(() => {
      this.#ended = { status, error };
    });
    const name = status === 'timed_out' ? 'TimeoutError' : 'AbortError';
    this.#controller.abort(new DOMException(error, name));
    this.#reject(signal.reason);
    // After the grace period the work is given up.
    this.#patience = new Deadline(agentGrace(this.#task.depth), () => {
      const full = `${error} It did not stop in time.`;
      this.#givenUp.resolve({ status, text: '', error: full });
    });
  }

  #reject(reason: unknown): void {
    for (const question of this.#questions.values()) question.reject(reason);
    this.#questions.clear();
  }
}

function failed(error: unknown): WorkResult {
  const message = errorMessage(error).replace(/\s+/g, ' ').trim();
  return { status: 'failed', text: '', error: truncate(message, MAX_ERROR) };
}

function over(): Error {
  return new Error('The task is over.');
}
