import { ToolfoldError } from '../../../errors.ts';
import type { SubagentStatus } from '../../events/index.ts';
import { wholeNumber } from '../../settings/index.ts';
import { Deadline } from '../../timing/index.ts';
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
import { NARROW } from './limits.ts';
import { WarmUp } from './warm-up.ts';
import { WorkingChild } from './working-child.ts';

const atLeastOne = wholeNumber(1);

/** Milliseconds that tasks wait for the child that goes ahead of them. */
const WARM_UP = 10_000;

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
  const { slots = NARROW.concurrency } = options;
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
  readonly #warmUp: WarmUp | undefined;
  readonly #onReady: () => void;
  readonly #working = new Map<string, WorkingChild>();
  #waiting: SubagentTask[];
  #unfinished: number;

  /** `onReady`: tasks that had to wait for another one may begin. */
  constructor({ tasks, concurrency, warmCache }: Batch, onUpdate: OnUpdate, onReady: () => void) {
    atLeastOne('concurrency', concurrency);
    requireDistinct(tasks);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.finished = promise;
    this.#finish = resolve;
    this.#concurrency = concurrency;
    this.#onUpdate = onUpdate;
    this.#onReady = onReady;
    this.#warmUp = warmCache ? new WarmUp() : undefined;
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

  /** Resolves when the child has worked and its result is told. */
  async startNext(work: Work): Promise<void> {
    const task = this.#next();
    if (!task) return;
    this.#waiting.splice(this.#waiting.indexOf(task), 1);
    const warmUp = this.#warmUp;
    const ahead = warmUp?.begin(task) ? this.#waitFor(task, warmUp) : undefined;
    const child = new WorkingChild(task, (update) => {
      this.#onUpdate(update);
      if (update.type === 'progress' && warmUp?.hasOpened(task, update.event)) this.#onReady();
    });
    this.#working.set(task.child, child);
    const result = await child.do(work);
    ahead?.pause();
    warmUp?.end(task);
    this.#working.delete(task.child);
    this.#conclude(result);
  }

  /** Others wait so long for the one that goes ahead, and no longer. */
  #waitFor(task: SubagentTask, warmUp: WarmUp): Deadline {
    return new Deadline(WARM_UP, () => {
      if (warmUp.end(task)) this.#onReady();
    });
  }

  /** The task that has waited longest of those that may begin. */
  #next(): SubagentTask | undefined {
    return this.#waiting.find((task) => this.#warmUp?.mayBegin(task) !== false);
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
        for (const child of this.#working.values()) child.stop(command.reason);
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
