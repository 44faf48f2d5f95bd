import { NARROW } from '@toolfold/config/internal/settings';
import { invalidOption, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { checkKnown } from '@toolfold/core/internal/values';
import type { AgentEvent } from '../events/index.ts';
import { type Batch, type Engine, type SubagentTask, TaskRun, type Work } from '../tasks/index.ts';

/** What the tasks of a batch share. */
interface BatchState extends Pick<Batch, 'concurrency'> {
  /**
   * With `warmCache`: the roles of which only one task may start. Children of one role share a prompt prefix, and
   * a provider has it in its cache once it begins to answer the first of them (Anthropic, prompt caching,
   * concurrent requests).
   */
  readonly coldRoles: Set<SubagentTask['role']>;
}

/** Events that come before the model begins to answer. */
const BEFORE: readonly AgentEvent['type'][] = ['start', 'request', 'preload', 'warning', 'rounds'];

/** Maximum milliseconds that tasks wait for the first child of their role. */
const WARM_UP = 10_000;

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
  checkKnown('createInProcessEngine()', options, { slots: true });
  const { slots = NARROW.concurrency } = options;
  requireWhole('slots', slots);
  /** The tasks that have not ended, in order of arrival. */
  const runs = new Map<TaskRun, BatchState>();

  function mayStart({ state, task }: TaskRun, batch: BatchState): boolean {
    const working = [...runs].filter(([run]) => run.state === 'working');
    const beside = working.flatMap(([run, of]) => (of === batch ? [run] : []));
    const isFirst = !beside.some((run) => run.task.role === task.role);
    const isReady = state === 'waiting' && (isFirst || !batch.coldRoles.has(task.role));
    return isReady && working.length < slots && beside.length < batch.concurrency;
  }

  function startWaiting(): void {
    for (const [run, batch] of runs) if (mayStart(run, batch)) void start(run, batch);
  }

  async function start(run: TaskRun, batch: BatchState): Promise<void> {
    const { role } = run.task;
    const isFirst = batch.coldRoles.has(role);
    const timer = isFirst ? setTimeout(() => warm(run, batch), WARM_UP) : undefined;
    await run.start(work);
    clearTimeout(timer);
    batch.coldRoles.delete(role);
    startWaiting();
  }

  /** The others of its role need not wait for this child any more. */
  function warm({ task }: TaskRun, { coldRoles }: BatchState): void {
    if (coldRoles.delete(task.role)) startWaiting();
  }

  return {
    start({ tasks, concurrency, warmCache }, onUpdate) {
      requireWhole('concurrency', concurrency);
      requireDistinct(tasks);
      const roles = warmCache ? tasks.map(({ role }) => role) : [];
      const batch: BatchState = { concurrency, coldRoles: new Set(roles) };
      const { promise: finished, resolve } = Promise.withResolvers<void>();
      for (const task of tasks) {
        const run = new TaskRun(task, (update) => {
          onUpdate(update);
          if (update.type === 'progress' && !BEFORE.includes(update.event.type)) warm(run, batch);
          if (update.type !== 'result') return;
          runs.delete(run);
          if (![...runs.values()].includes(batch)) resolve();
        });
        runs.set(run, batch);
      }
      if (tasks.length === 0) resolve();
      // The caller must have the run before the first update.
      queueMicrotask(startWaiting);
      return {
        finished,
        send(command) {
          for (const [run, of] of runs) if (of === batch) run.take(command);
        },
      };
    },
  };
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
