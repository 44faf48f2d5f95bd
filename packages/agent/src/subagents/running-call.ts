import { errorMessage } from '@toolfold/core/internal/errors.ts';
import {
  isFiniteAmount,
  isRecord,
  ownProperty,
  pick,
  queueOfWork,
  raceAbort,
  within,
} from '@toolfold/core/internal/values';
import {
  type AgentEvent,
  NOTHING_SPENT,
  readAskedBy,
  type Spending,
  STATUSES,
  withUsage,
} from '../events/index.ts';
import type { ApprovalPolicy, Elicitations } from '../options/index.ts';
import type {
  Batch,
  BatchRun,
  Ending,
  Engine,
  EngineCommand,
  EngineUpdate,
  ReportedTask,
  SubagentAnswer,
  SubagentQuestion,
  SubagentTask,
} from '../tasks/index.ts';

/** A child of the call, from its task to its result. */
interface RunningChild {
  readonly task: SubagentTask;
  spent: Spending;
  /** Fires when the child has ended. Its open questions then need no answer. */
  readonly ended: AbortController;
  readonly result: PromiseWithResolvers<ReportedTask>;
}

interface RunningCallOptions {
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
  readonly #options: RunningCallOptions;
  readonly #children: ReadonlyMap<string, RunningChild>;
  readonly #failure = Promise.withResolvers<never>();
  /** The batch, which waits for its engine to start. Commands may be given before. */
  readonly #run = Promise.withResolvers<BatchRun>();
  #isStopped = false;

  constructor(options: RunningCallOptions) {
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

  #end({ task, ended, spent, result }: RunningChild, given: Ending): void {
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

  #emit(of: RunningChild, event: AgentEvent): void {
    const { child, id: task } = of.task;
    of.spent = withUsage(of.spent, event);
    this.#options.emit({ type: 'subagent', child, task, event });
  }

  async #answer({ task, ended }: RunningChild, question: Parameters<AskParent>[1]): Promise<void> {
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

/** Asks a question of a child. Denied if the user cannot be asked, or if the signal fires before. */
export type AskParent = (
  task: SubagentTask,
  question: SubagentQuestion,
  signal: AbortSignal,
) => Promise<SubagentAnswer>;

/** Forwards questions of children to the parent's user, one at a time, with the name of the child. */
export function askParent(parent: {
  readonly policy: Pick<ApprovalPolicy, 'settle'>;
  readonly elicitations: Pick<Elicitations, 'ask'>;
}): AskParent {
  const inOrder = queueOfWork();

  const askNext: AskParent = async (task, question, signal) => {
    const { id, asker, elicitation, ...asked } = question;
    if (signal.aborted) return { approved: false };
    const subagent = asker === undefined ? task.id : `${task.id}/${asker}`;
    try {
      if (elicitation) {
        const answer = await parent.elicitations.ask({ ...elicitation, subagent, signal });
        return { approved: answer.action === 'accept', elicitation: answer };
      }
      const about = { ...pick(asked, 'name', 'arguments', 'reason'), ...readAskedBy(asked) };
      const given = { id: `${task.child}/${id}`, ...about, subagent, signal };
      return pick(await parent.policy.settle(given), 'approved', 'reason');
    } catch (error) {
      return { approved: false, reason: `The user could not be asked: ${errorMessage(error)}` };
    }
  };

  return (...given) => inOrder(() => askNext(...given));
}

const FIGURES = ['input', 'cacheRead', 'cacheWrite', 'output'] as const;

/** Whether `start` of an engine has returned a run. */
function isRun(value: unknown): value is BatchRun {
  return isRecord(value) && typeof value.send === 'function' && value.finished !== undefined;
}

/**
 * Whether a value from an engine is an update. The value may come from another process. Of a result
 * only the child is checked: a malformed result still ends that child.
 */
function isUpdate(value: unknown): value is EngineUpdate {
  if (!isRecord(value)) return false;
  const { type, child, event, question, result } = value;
  if (type === 'result') return isRecord(result) && typeof result.child === 'string';
  if (typeof child !== 'string') return false;
  return type === 'progress' ? isEvent(event) : type === 'question' && isQuestion(question);
}

/** Whether a result from an engine has a status, a text and no error but a text. */
function isEnding(value: unknown): value is Ending {
  const [status, text, error] = ['status', 'text', 'error'].map((key) => ownProperty(value, key));
  const isKnown = (STATUSES as readonly unknown[]).includes(status);
  return isKnown && typeof text === 'string' && ['string', 'undefined'].includes(typeof error);
}

function isQuestion(question: unknown): boolean {
  if (!isRecord(question)) return false;
  const { id, name, asker = '', reason = '', askKey = '' } = question;
  return [id, name, asker, reason, askKey].every((text) => typeof text === 'string');
}

/** Checks the fields that are counted or joined. All other fields are passed on unchecked. */
function isEvent(event: unknown): boolean {
  if (!isRecord(event)) return false;
  const { type, child, task, text, cost = 0 } = event;
  switch (type) {
    case 'subagent':
      return typeof child === 'string' && typeof task === 'string' && isEvent(event.event);
    case 'usage':
      return [...FIGURES.map((name) => event[name]), cost].every(isFiniteAmount);
    case 'text':
    case 'reasoning':
      return typeof text === 'string';
    default:
      return typeof type === 'string';
  }
}
