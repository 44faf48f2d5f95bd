import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { within } from '@toolfold/core/internal/time-limit.ts';
import { ownProperty, raceAbort } from '@toolfold/core/internal/tools/values';
import { type AgentEvent, NOTHING_SPENT, type Spending, withUsage } from '../events/index.ts';
import type {
  Batch,
  BatchRun,
  Ending,
  Engine,
  EngineCommand,
  EngineUpdate,
  SubagentTask,
} from './engine/index.ts';
import { isEnding, isRun, isUpdate } from './engine-values.ts';
import type { AskParent } from './questions.ts';
import type { ReportedTask } from './report/index.ts';

/** A child of the call, from its task to its result. */
interface Child {
  readonly task: SubagentTask;
  spent: Spending;
  /** Fires when the child has ended. Its open questions then need no answer. */
  readonly ended: AbortController;
  readonly result: PromiseWithResolvers<ReportedTask>;
}

export interface CallOptions {
  readonly tasks: readonly SubagentTask[];
  /** Milliseconds in which the engine has to end a cancelled child, or the batch after its last result. */
  readonly grace: number;
  readonly emit: (event: AgentEvent) => void;
  readonly ask: AskParent;
}

/**
 * The children of one call of the tool, which an engine runs as a batch. Checks what the engine sends:
 * each child gets one result, also if the engine fails.
 */
export class RunningCall {
  /** Resolves when all children have ended, with their results in the order of the tasks. */
  readonly results: Promise<readonly ReportedTask[]>;
  readonly #options: CallOptions;
  readonly #children: ReadonlyMap<string, Child>;
  readonly #failure = Promise.withResolvers<never>();
  /** The batch, which waits for its engine to start. Commands may be given before. */
  readonly #run = Promise.withResolvers<BatchRun>();
  #isStopped = false;

  constructor(options: CallOptions) {
    const children = options.tasks.map((task) => ({
      task,
      spent: NOTHING_SPENT,
      ended: new AbortController(),
      result: Promise.withResolvers<ReportedTask>(),
    }));
    this.#options = options;
    this.#children = new Map(children.map((child) => [child.task.child, child]));
    this.results = Promise.all(children.map(({ result }) => result.promise));
    // The engine may fail before `run` waits for that.
    this.#failure.promise.catch(() => {});
  }

  /** The tasks of children that have not ended. */
  get running(): readonly SubagentTask[] {
    const running = [...this.#children.values()].filter(({ ended }) => !ended.signal.aborted);
    return running.map(({ task }) => task);
  }

  /** Runs the tasks. Resolves when all children have ended and the engine has, or is given up. */
  async run(
    engine: Engine,
    settings: Omit<Batch, 'tasks'>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { tasks, grace } = this.#options;
    const work = this.#runIn(engine, { tasks, ...settings });
    try {
      await raceAbort(Promise.race([work, this.results]), signal);
    } catch {
      this.#send({ type: 'cancel' });
    }
    // A batch that was cancelled, or has all its results, has to end in time.
    if ((await within(grace, work)) === undefined) this.#fail('it did not end the batch in time');
    this.end({ status: 'failed', text: '', error: await work });
  }

  /** Resolves with the error of tasks without a result. */
  async #runIn(engine: Engine, batch: Batch): Promise<string> {
    try {
      const run: unknown = engine.start(batch, (update) => this.#take(update));
      if (!isRun(run))
        throw new Error('`start` did not return an object with `send` and `finished`');
      this.#run.resolve(run);
      await Promise.race([run.finished, this.#failure.promise]);
      return 'The engine ended without a result for this task.';
    } catch (error) {
      return `The engine failed: ${errorMessage(error)}`;
    }
  }

  /** Starts no more children. */
  stop(reason: string): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#send({ type: 'stop', reason });
  }

  /** Cancels one child. Resolves when it has ended, or is given up; with false if no such child is running. */
  async cancel(name: string): Promise<boolean> {
    const child = this.#children.get(name);
    if (!child || child.ended.signal.aborted) return false;
    this.#send({ type: 'cancel', child: name });
    await within(this.#options.grace, child.result.promise);
    const error = 'It was cancelled, but did not stop in time.';
    this.#end(child, { status: 'cancelled', text: '', error });
    return true;
  }

  /** Gives a result to all children that have none. */
  end(ending: Ending): void {
    for (const child of this.#children.values()) this.#end(child, ending);
  }

  #end({ task, ended, spent, result }: Child, given: Ending): void {
    if (ended.signal.aborted) return;
    ended.abort();
    const { child, id, format } = task;
    const { status, text, error } = isEnding(given)
      ? given
      : failed('The engine returned an invalid result.');
    const why = error === undefined ? {} : { error };
    this.#options.emit({ type: 'subagent-end', child, task: id, status, ...why, spent });
    result.resolve({ child, id, format, status, text, ...why });
  }

  #take(update: EngineUpdate): void {
    const isValid = isUpdate(update);
    const isResult = isValid && update.type === 'result';
    const name = ownProperty(isResult ? update.result : update, 'child');
    const child = typeof name === 'string' ? this.#children.get(name) : undefined;
    if (!isValid && !child) this.#fail('it sent an invalid update');
    // Updates of a child that has ended are ignored.
    else if (!child || child.ended.signal.aborted) return;
    else if (!isValid) {
      this.#end(child, failed('The engine sent an invalid update.'));
      this.#send({ type: 'cancel', child: child.task.child });
    } else if (update.type === 'result') this.#end(child, update.result);
    else if (update.type === 'question') void this.#answer(child, update.question);
    else this.#emit(child, update.event);
  }

  #emit(of: Child, event: AgentEvent): void {
    const { child, id: task } = of.task;
    of.spent = withUsage(of.spent, event);
    this.#options.emit({ type: 'subagent', child, task, event });
  }

  async #answer({ task, ended }: Child, question: Parameters<AskParent>[1]): Promise<void> {
    const answer = await this.#options.ask(task, question, ended.signal);
    this.#send({ type: 'answer', child: task.child, question: question.id, answer });
  }

  /** Sends a command. If the engine throws, it is given up. */
  #send(command: EngineCommand): void {
    this.#run.promise.then((run) => run.send(command)).catch(this.#failure.reject);
  }

  /** Gives the engine up, and cancels the batch. */
  #fail(reason: string): void {
    this.#failure.reject(new Error(reason));
    this.#send({ type: 'cancel' });
  }
}

function failed(error: string): Ending {
  return { status: 'failed', text: '', error };
}
