import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { oneLine, ownProperty } from '@toolfold/core/internal/values';
import { causesOf } from '../events/index.ts';
import type {
  Ending,
  EngineCommand,
  OnUpdate,
  SubagentAnswer,
  SubagentQuestion,
  SubagentTask,
  Work,
} from './engine.ts';

/** Maximum characters of an error in a result. */
const MAX_ERROR = 300;

/** Whether a message is that of a store: it may name paths, and no model can change anything about it. */
function isOfStore(error: unknown): boolean {
  return causesOf(error).some(
    (one) => one instanceof ToolfoldError && /^session-(?!unknown)/.test(one.code),
  );
}

/** A task of a batch, from its place in the queue to its result, which it sends. */
export class TaskRun {
  readonly task: SubagentTask;
  state: 'waiting' | 'working' | 'over' = 'waiting';
  readonly #onUpdate: OnUpdate;
  readonly #controller = new AbortController();
  readonly #stop = new AbortController();
  readonly #questions = new Map<string, PromiseWithResolvers<SubagentAnswer>>();
  readonly #givenUp = Promise.withResolvers<Ending>();
  /** The time limit of the task. After an abort, that of its end. */
  #limit: Deadline | undefined;
  #aborted: Pick<Ending, 'status' | 'error'> | undefined;

  constructor(task: SubagentTask, onUpdate: OnUpdate) {
    this.task = task;
    this.#onUpdate = onUpdate;
  }

  /** Starts the work. Resolves when it has settled or is given up, and the result was sent. Never rejects. */
  async start(work: Work): Promise<void> {
    const { timeout } = this.task;
    this.state = 'working';
    this.#limit = new Deadline(timeout, () =>
      this.#abort('timed_out', `It took longer than ${timeout / 1000} s.`),
    );
    const ending = await Promise.race([this.#endingOf(work), this.#givenUp.promise]);
    this.#limit.pause();
    this.#rejectQuestions(new Error('The task is over.'));
    this.#conclude(ending);
  }

  /** Does what a command asks of this task. */
  take(command: EngineCommand): void {
    const { child } = this.task;
    const isMeant = command.type === 'stop' || (command.child ?? child) === child;
    if (!isMeant || this.state === 'over') return;
    const drop = (status: Ending['status'], error: string) =>
      this.#conclude({ status, text: '', error });
    const isWaiting = this.state === 'waiting';
    switch (command.type) {
      case 'cancel':
        if (isWaiting) drop('cancelled', 'It was cancelled before it started.');
        else this.#abort('cancelled', 'It was cancelled.');
        return;
      case 'stop':
        // If it works, it may start no more children of its own.
        if (isWaiting) drop('not_started', command.reason);
        else this.#stop.abort(command.reason);
        return;
      case 'answer':
        this.#answer(command.question, command.answer);
    }
  }

  #answer(id: string, answer: SubagentAnswer): void {
    const question = this.#questions.get(id);
    if (!question) return;
    this.#questions.delete(id);
    if (this.#questions.size === 0) this.#limit?.resume();
    question.resolve(answer);
  }

  #conclude({ status, text, error }: Ending): void {
    const { child, id } = this.task;
    this.state = 'over';
    const result = { child, id, status, text, ...(error === undefined ? {} : { error }) };
    this.#onUpdate({ type: 'result', result });
  }

  /** What the work comes to. It is the host's code and may throw. An abort after it has settled does not count. */
  async #endingOf(work: Work): Promise<Ending> {
    const { child } = this.task;
    let ending: Ending;
    try {
      const result = await work(this.task, {
        signal: this.#controller.signal,
        stop: this.#stop.signal,
        tell: (event) => {
          if (this.state !== 'over') this.#onUpdate({ type: 'progress', child, event });
        },
        ask: (question) => this.#ask(question),
      });
      const isResult = typeof ownProperty(result, 'status') === 'string';
      ending = isResult ? result : failed('The worker returned no result.');
    } catch (error) {
      // Work that throws at once may have been cancelled by its own event.
      await undefined;
      ending = failed(error);
    }
    return { ...ending, ...this.#aborted };
  }

  #ask(question: SubagentQuestion): Promise<SubagentAnswer> {
    const { signal } = this.#controller;
    const asked = Promise.withResolvers<SubagentAnswer>();
    // If the child no longer waits, the rejection must not count as unhandled.
    asked.promise.catch(() => {});
    if (this.state === 'over') asked.reject(new Error('The task is over.'));
    else if (signal.aborted) asked.reject(signal.reason);
    else if (this.#questions.has(question.id)) {
      asked.reject(new Error(`The question "${question.id}" is open already.`));
    } else {
      this.#questions.set(question.id, asked);
      this.#limit?.pause();
      this.#onUpdate({ type: 'question', child: this.task.child, question });
    }
    return asked.promise;
  }

  #abort(status: 'timed_out' | 'cancelled', error: string): void {
    const { signal } = this.#controller;
    if (signal.aborted) return;
    this.#limit?.pause();
    // Set in a microtask: work that has already returned keeps its result, and later work gets this one.
    queueMicrotask(() => {
      this.#aborted = { status, error };
    });
    const name = status === 'timed_out' ? 'TimeoutError' : 'AbortError';
    this.#controller.abort(new DOMException(error, name));
    this.#rejectQuestions(signal.reason);
    this.#limit = new Deadline(agentGrace(this.task.depth), () => {
      this.#givenUp.resolve({ status, text: '', error: `${error} It did not stop in time.` });
    });
  }

  #rejectQuestions(reason: unknown): void {
    for (const question of this.#questions.values()) question.reject(reason);
    this.#questions.clear();
  }
}

function failed(error: unknown): Ending {
  return { status: 'failed', text: '', error: oneLine(failureText(error), MAX_ERROR) };
}

/** What a model is told of a failure of a child. */
export function failureText(error: unknown): string {
  return isOfStore(error) ? 'Its session cannot be used.' : errorMessage(error);
}

/**
 * A timer that can be paused. It calls `onPassed` after it has run for the given milliseconds (at most
 * 2³¹ − 1, as for any timer). It starts at once and keeps the process alive while it runs.
 */
export class Deadline {
  #left: number;
  #running: { readonly timer: ReturnType<typeof setTimeout>; readonly since: number } | undefined;
  readonly #onPassed: () => void;

  constructor(milliseconds: number, onPassed: () => void) {
    this.#left = milliseconds;
    this.#onPassed = onPassed;
    this.resume();
  }

  /** Pauses the timer until `resume`. */
  pause(): void {
    if (!this.#running) return;
    clearTimeout(this.#running.timer);
    // The system clock may be changed: the time left never grows and never becomes negative.
    const passed = Math.max(0, Date.now() - this.#running.since);
    this.#left = Math.max(0, this.#left - passed);
    this.#running = undefined;
  }

  resume(): void {
    this.#running ??= { timer: setTimeout(this.#onPassed, this.#left), since: Date.now() };
  }
}

/** How long to wait for tools that ignore the abort signal, in milliseconds. */
export const TOOL_GRACE = 5_000;

/**
 * The time that an agent with `levels` levels of subagents has to end, in milliseconds: for its tools or
 * its engine, and then for hooks on the report.
 */
function agentGrace(levels: number): number {
  return (levels === 0 ? TOOL_GRACE : engineGrace(levels)) + TOOL_GRACE;
}

/** The time that an engine has to end its children, in milliseconds: 1.5 times what they need. */
export function engineGrace(levels: number): number {
  return 1.5 * agentGrace(levels - 1);
}
