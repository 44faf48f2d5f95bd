import { errorMessage, invalidOption, ToolfoldError } from '../../errors.ts';
import { cut } from '../../tools/plain-text.ts';
import { Deadline } from './deadline.ts';
import type {
  Batch,
  BatchRun,
  Engine,
  EngineCommand,
  EngineUpdate,
  SubagentAnswer,
  SubagentQuestion,
  SubagentResult,
  SubagentStatus,
  SubagentTask,
  Work,
  WorkResult,
} from './engine.ts';

/** Characters of an error that a result shows. */
const MAX_ERROR = 300;

/**
 * Milliseconds that work has to stop in once its signal has fired; after that it is given up. An agent
 * waits five seconds for its tools, and its children have as much again for each level below it.
 */
const PATIENCE = 10_000;

type Ending = Pick<SubagentResult, 'status' | 'text' | 'error'>;
type OnUpdate = (update: EngineUpdate) => void;

/**
 * Has children work in this process: up to `slots` (8) at once, counted over all batches under way;
 * a free slot goes to the task that has waited longest of those whose batch may have one more. A
 * batch that a child starts needs an engine of its own, or could wait for the slot its parent holds.
 * Throws `invalid-option`, as `start` does for a batch in which a child is named twice.
 */
export function createInProcessEngine(
  work: Work,
  options: { readonly slots?: number } = {},
): Engine {
  const { slots = 8 } = options;
  atLeastOne('slots', slots);
  // In the order in which they came; those of which no task waits are dropped.
  const batches = new Set<InProcessBatch>();
  let working = 0;

  function startWaiting(): void {
    for (const batch of batches) {
      while (working < slots && batch.canStart()) void occupySlot(batch);
      if (!batch.isWaiting()) batches.delete(batch);
    }
  }

  async function occupySlot(batch: InProcessBatch): Promise<void> {
    working++;
    await batch.startNext(work);
    working--;
    startWaiting();
  }

  return {
    start(batch, onUpdate) {
      const run = new InProcessBatch(batch, onUpdate);
      batches.add(run);
      // The caller is to have the run in hand before its first update.
      queueMicrotask(startWaiting);
      return run;
    },
  };
}

class InProcessBatch implements BatchRun {
  readonly finished: Promise<void>;
  readonly #finish: () => void;
  readonly #concurrency: number;
  readonly #onUpdate: OnUpdate;
  readonly #working = new Map<string, Child>();
  #waiting: SubagentTask[];
  #unfinished: number;

  constructor({ tasks, concurrency }: Batch, onUpdate: OnUpdate) {
    atLeastOne('concurrency', concurrency);
    requireDistinct(tasks);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.finished = promise;
    this.#finish = resolve;
    this.#concurrency = concurrency;
    this.#onUpdate = onUpdate;
    this.#waiting = [...tasks];
    this.#unfinished = tasks.length;
    if (tasks.length === 0) resolve();
  }

  isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  canStart(): boolean {
    return this.isWaiting() && this.#working.size < this.#concurrency;
  }

  /** Resolves when the child has worked and its result is told. */
  async startNext(work: Work): Promise<void> {
    const task = this.#waiting.shift();
    if (!task) return;
    const child = new Child(task, this.#onUpdate);
    this.#working.set(task.child, child);
    const result = await child.do(work);
    this.#working.delete(task.child);
    this.#conclude(result);
  }

  send(command: EngineCommand): void {
    switch (command.type) {
      case 'cancel': {
        const isMeant = (child: string) => (command.child ?? child) === child;
        for (const [name, child] of this.#working) if (isMeant(name)) child.cancel();
        this.#drop(isMeant, 'cancelled', 'It was cancelled before it began.');
        return;
      }
      case 'stop':
        this.#drop(() => true, 'not_started', command.reason);
        return;
      case 'answer':
        this.#working.get(command.child)?.answer(command.question, command.answer);
        return;
    }
  }

  #drop(isMeant: (child: string) => boolean, status: SubagentStatus, error: string): void {
    const dropped = this.#waiting.filter(({ child }) => isMeant(child));
    this.#waiting = this.#waiting.filter(({ child }) => !isMeant(child));
    for (const { child, id } of dropped) this.#conclude({ child, id, status, text: '', error });
  }

  #conclude(result: SubagentResult): void {
    this.#onUpdate({ type: 'result', result });
    this.#unfinished--;
    if (this.#unfinished === 0) this.#finish();
  }
}

/** One task at work: its signal, its clock and its open questions. */
class Child {
  readonly #task: SubagentTask;
  readonly #onUpdate: OnUpdate;
  readonly #controller = new AbortController();
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
    return { ...result, ...this.#ended };
  }

  cancel(): void {
    this.#end('cancelled', 'It was cancelled.');
  }

  answer(id: string, answer: SubagentAnswer): void {
    const question = this.#questions.get(id);
    if (!question) return;
    this.#questions.delete(id);
    if (this.#questions.size === 0) this.#deadline.resume();
    question.resolve(answer);
  }

  /** What the work returns, untouched. */
  #begin(work: Work): Promise<WorkResult> {
    try {
      return work(this.#task, {
        signal: this.#controller.signal,
        tell: (event) => {
          if (this.#isOver) return;
          this.#onUpdate({ type: 'progress', child: this.#task.child, event });
        },
        ask: (question) => this.#ask(question),
      });
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
    this.#patience = new Deadline(PATIENCE * (this.#task.depth + 1), () => {
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

function requireDistinct(tasks: readonly SubagentTask[]): void {
  const seen = new Set<string>();
  for (const { child } of tasks) {
    if (seen.has(child)) {
      throw new ToolfoldError(
        'invalid-option',
        `Two tasks of the batch are for the child "${child}".`,
        'Give every task a child of its own.',
      );
    }
    seen.add(child);
  }
}

function atLeastOne(option: string, value: number): void {
  if (Number.isInteger(value) && value >= 1) return;
  throw invalidOption(option, 'a whole number of at least 1');
}
