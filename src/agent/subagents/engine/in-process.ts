import { NARROW } from '../../../config/index.ts';
import { invalidOption, ToolfoldError } from '../../../errors.ts';
import type {
  Batch,
  BatchRun,
  Engine,
  EngineCommand,
  OnUpdate,
  SubagentTask,
  Work,
} from './engine.ts';
import { TaskRun } from './task-run.ts';
import { WarmUp } from './warm-up.ts';

/**
 * Creates an engine that runs children in this process: up to `slots` (8) at once over all running
 * batches. A free slot goes to the task that has waited longest and whose batch may run one more. A
 * batch that a child starts needs its own engine; otherwise it could wait for the slot of its parent.
 * Throws `invalid-option`; `start` throws it too if a child is named twice in a batch.
 */
export function createInProcessEngine(
  work: Work,
  options: { readonly slots?: number } = {},
): Engine {
  const { slots = NARROW.concurrency } = options;
  requireWhole('slots', slots);
  // Batches that have not ended, in order of arrival.
  const batches = new Set<InProcessBatch>();
  let working = 0;

  function startWaiting(): void {
    for (const batch of batches)
      for (let run = batch.next(); run && working < slots; run = batch.next())
        void occupySlot(batch, run);
  }

  async function occupySlot(batch: InProcessBatch, run: TaskRun): Promise<void> {
    working++;
    try {
      await batch.work(run, work);
    } finally {
      working--;
      startWaiting();
    }
  }

  return {
    start(batch, onUpdate) {
      const run = new InProcessBatch(batch, onUpdate, startWaiting);
      batches.add(run);
      void run.finished.then(() => batches.delete(run));
      // The caller must have the run before the first update.
      queueMicrotask(startWaiting);
      return run;
    },
  };
}

class InProcessBatch implements BatchRun {
  readonly finished: Promise<void>;
  /** The tasks that have not ended, by child. */
  readonly #runs: Map<string, TaskRun>;
  readonly #concurrency: number;
  readonly #warmUp: WarmUp | undefined;

  /** `onReady`: called when tasks may start that had to wait for another one. */
  constructor({ tasks, concurrency, warmCache }: Batch, onUpdate: OnUpdate, onReady: () => void) {
    requireWhole('concurrency', concurrency);
    requireDistinct(tasks);
    this.#concurrency = concurrency;
    this.#warmUp = warmCache ? new WarmUp(onReady) : undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.finished = promise;
    const begun = tasks.map((task) => {
      const take: OnUpdate = (update) => {
        onUpdate(update);
        if (update.type === 'progress') this.#warmUp?.take(task, update.event);
        if (update.type === 'result') this.#runs.delete(task.child);
        if (this.#runs.size === 0) resolve();
      };
      return [task.child, new TaskRun(task, take)] as const;
    });
    this.#runs = new Map(begun);
    if (tasks.length === 0) resolve();
  }

  /** The task that has waited longest among those that may start now. */
  next(): TaskRun | undefined {
    const runs = [...this.#runs.values()];
    if (runs.filter(({ state }) => state === 'working').length >= this.#concurrency) return;
    const waiting = runs.filter(({ state }) => state === 'waiting');
    return waiting.find(({ task }) => this.#warmUp?.mayBegin(task) !== false);
  }

  /** Runs a task. Resolves when its result was sent. */
  async work(run: TaskRun, work: Work): Promise<void> {
    this.#warmUp?.begin(run.task);
    await run.start(work);
    this.#warmUp?.end(run.task);
  }

  send(command: EngineCommand): void {
    const all = [...this.#runs.values()];
    switch (command.type) {
      case 'cancel':
        if (command.child === undefined) for (const run of all) run.cancel();
        else this.#runs.get(command.child)?.cancel();
        return;
      case 'stop':
        for (const run of all) run.stop(command.reason);
        return;
      case 'answer':
        this.#runs.get(command.child)?.answer(command.question, command.answer);
    }
  }
}

function requireDistinct(tasks: readonly SubagentTask[]): void {
  const names = tasks.map(({ child }) => child);
  const twice = names.find((child, index) => names.indexOf(child) !== index);
  if (twice === undefined) return;
  throw new ToolfoldError(
    'invalid-option',
    `Two tasks of the batch have the child name "${twice}".`,
    'Give each task a unique child name.',
  );
}

function requireWhole(option: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1)
    throw invalidOption(option, 'a whole number of at least 1');
}
