import { NARROW } from '../../../config/index.ts';
import { invalidOption, ToolfoldError } from '../../../errors.ts';
import type { SubagentStatus } from '../../events/index.ts';
import { Child } from './child.ts';
import type {
  Batch,
  BatchRun,
  Engine,
  EngineCommand,
  OnUpdate,
  SubagentResult,
  SubagentTask,
  Work,
} from './engine.ts';
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
  // Batches with waiting tasks, in order of arrival.
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
    try {
      await batch.startNext(work);
    } finally {
      working--;
      startWaiting();
    }
  }

  return {
    start(batch, onUpdate) {
      const run = new InProcessBatch(batch, onUpdate, startWaiting);
      batches.add(run);
      // The caller must have the run before the first update.
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
  readonly #warmUp: WarmUp | undefined;
  readonly #working = new Map<string, Child>();
  #waiting: SubagentTask[];
  #unfinished: number;

  /** `onReady`: called when tasks may start that had to wait for another one. */
  constructor({ tasks, concurrency, warmCache }: Batch, onUpdate: OnUpdate, onReady: () => void) {
    requireWhole('concurrency', concurrency);
    requireDistinct(tasks);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.finished = promise;
    this.#finish = resolve;
    this.#concurrency = concurrency;
    this.#onUpdate = onUpdate;
    this.#warmUp = warmCache ? new WarmUp(onReady) : undefined;
    this.#waiting = [...tasks];
    this.#unfinished = tasks.length;
    if (tasks.length === 0) resolve();
  }

  isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  canStart(): boolean {
    return this.#working.size < this.#concurrency && this.#next() !== undefined;
  }

  /** Runs the next task. Resolves when its result was sent. */
  async startNext(work: Work): Promise<void> {
    const task = this.#next();
    if (!task) return;
    this.#waiting.splice(this.#waiting.indexOf(task), 1);
    this.#warmUp?.begin(task);
    const child = new Child(task, (update) => {
      this.#onUpdate(update);
      if (update.type === 'progress') this.#warmUp?.take(task, update.event);
    });
    this.#working.set(task.child, child);
    const result = await child.run(work);
    this.#working.delete(task.child);
    this.#conclude(result);
    this.#warmUp?.end(task);
  }

  /** The task that has waited longest among those that may start. */
  #next(): SubagentTask | undefined {
    return this.#waiting.find((task) => this.#warmUp?.mayBegin(task) !== false);
  }

  send(command: EngineCommand): void {
    switch (command.type) {
      case 'cancel': {
        const isTarget = (child: string) => (command.child ?? child) === child;
        for (const [name, child] of this.#working) if (isTarget(name)) child.cancel();
        this.#drop(isTarget, 'cancelled', 'It was cancelled before it started.');
        return;
      }
      case 'stop':
        for (const child of this.#working.values()) child.stop(command.reason);
        this.#drop(() => true, 'not_started', command.reason);
        return;
      case 'answer':
        this.#working.get(command.child)?.answer(command.question, command.answer);
        return;
    }
  }

  #drop(isTarget: (child: string) => boolean, status: SubagentStatus, error: string): void {
    const dropped = this.#waiting.filter(({ child }) => isTarget(child));
    this.#waiting = this.#waiting.filter(({ child }) => !isTarget(child));
    for (const { child, id } of dropped) this.#conclude({ child, id, status, text: '', error });
  }

  #conclude(result: SubagentResult): void {
    this.#onUpdate({ type: 'result', result });
    this.#unfinished--;
    if (this.#unfinished === 0) this.#finish();
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
