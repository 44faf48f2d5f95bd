import { within } from '../../time-limit.ts';
import { ownProperty } from '../../tools/values/index.ts';
import type { AgentEvent, Spending } from '../events/index.ts';
import type { RunningSubagent } from '../options/index.ts';
import { engineGrace } from '../timing/index.ts';
import { Budget } from './budget.ts';
import {
  type Ending,
  type Engine,
  type EngineUpdate,
  RESULT_BYTES,
  type SubagentQuestion,
  type SubagentTask,
} from './engine/index.ts';
import { isUpdate } from './is-update.ts';
import { Member } from './member.ts';
import { type AskUser, type Elicit, Questions } from './questions.ts';
import { reportOf, type SubagentReport } from './report/index.ts';
import { SupervisedBatch } from './supervised-batch.ts';
import { type Order, readOrder, type SubagentOptions, type TaskInput } from './tool/index.ts';
import { WITHHELD } from './withheld.ts';

/** Names of children that stay the same when their call is run again in another process. */
export interface KeptNames {
  /** The names of a call that had started before, by task id. */
  readonly of: (call: string) => Readonly<Record<string, string>> | undefined;
  readonly isTaken: (name: string) => boolean;
  readonly keep: (call: string, names: Readonly<Record<string, string>>) => Promise<void>;
}

export interface TeamOptions {
  readonly names: KeptNames;
  readonly options: SubagentOptions;
  readonly engine: Engine;
  /** The spending that counts against the budget. */
  readonly spent: () => Spending;
  /** Fires when no more children may start. Its reason is a text for the model. */
  readonly stop: AbortSignal | undefined;
  /** The parent's own child name, if the parent is a child. */
  readonly child: string | undefined;
  /** Levels of children below the parent's own. */
  readonly depth: number;
  readonly ask: AskUser;
  readonly elicit: Elicit;
}

/** One call of the tool `subagents`. */
export interface TeamCall {
  readonly id: string;
  readonly signal: AbortSignal | undefined;
  /** The tools that the parent may use at this moment. */
  readonly ceiling: SubagentTask['ceiling'];
  readonly emit: (event: AgentEvent) => void;
}

/** The children of one agent, over all its calls of the tool `subagents`. */
export class Team {
  readonly #options: TeamOptions;
  readonly #budget: Budget;
  readonly #questions: Questions;
  /** Members that have not ended, by child name. */
  readonly #members = new Map<string, Member>();
  /** Names of all past and present children. No name is used twice. */
  readonly #named = new Set<string>();
  /** Batches that may still start children. */
  readonly #batches = new Set<SupervisedBatch>();
  readonly #open = new Set<Promise<unknown>>();

  constructor(options: TeamOptions) {
    this.#options = options;
    this.#budget = new Budget(options.options.budget, options.spent);
    this.#questions = new Questions(options.ask, options.elicit);
    options.stop?.addEventListener('abort', () => this.#stopIfExhausted(), { once: true });
  }

  /** Children that have not ended. */
  get running(): readonly RunningSubagent[] {
    return [...this.#members.values()].map(({ task: { child, id, role } }) => ({
      child,
      task: id,
      ...(role === undefined ? {} : { role }),
    }));
  }

  /** Cancels one child. Returns false if there is no such child. Resolves when the child has stopped or is given up. */
  async cancel(child: string): Promise<boolean> {
    const member = this.#members.get(child);
    if (!member) return false;
    member.batch.send({ type: 'cancel', child });
    await within(this.#patience, member.finished);
    const error = 'It was cancelled, but did not stop in time.';
    this.#end(member, { status: 'cancelled', text: '', error });
    return true;
  }

  /** Resolves when no call of the tool is running. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled([...this.#open]);
  }

  /**
   * Runs the tasks of one call. Throws only for invalid input, which the model can correct, before any
   * task starts. All later outcomes of children, also cancellation, are in the report.
   */
  run(input: unknown, call: TeamCall): Promise<SubagentReport> {
    const report = this.#work(input, call);
    this.#open.add(report);
    return report.finally(() => this.#open.delete(report));
  }

  async #work(input: unknown, call: TeamCall): Promise<SubagentReport> {
    const order = await readOrder(input, this.#options.options);
    const batch = new SupervisedBatch(this.#patience);
    const { names } = this.#options;
    const members = order.tasks.map((task) => this.#enlist(task, { order, call, batch }));
    if (!names.of(call.id)) {
      const own = members.map(({ task: { id, child } }) => [id, child]);
      await names.keep(call.id, Object.fromEntries(own));
    }
    const reason = this.#stopReason;
    if (reason === undefined) await this.#runBatch(batch, members, order.concurrency, call.signal);
    else this.#endAll(members, { status: 'not_started', text: '', error: reason });
    const results = await Promise.all(members.map(({ finished }) => finished));
    const { resultBytes = RESULT_BYTES } = this.#options.options;
    const { format } = order;
    return reportOf(
      results.map((result) => ({ ...result, format })),
      resultBytes,
    );
  }

  /** Runs the batch. Resolves when all members have ended, also if the engine fails. */
  async #runBatch(
    batch: SupervisedBatch,
    members: readonly Member[],
    concurrency: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const cancel = () => {
      batch.send({ type: 'cancel' });
      batch.expectEnd();
    };
    // After the last result, the engine has only to settle `finished`.
    void Promise.all(members.map(({ finished }) => finished)).then(() => batch.expectEnd());
    this.#batches.add(batch);
    const { engine, options } = this.#options;
    const tasks = members.map(({ task }) => task);
    const warm = options.warmCache === undefined ? {} : { warmCache: options.warmCache };
    const byChild = new Map(members.map((member) => [member.task.child, member]));
    const work = batch.workIn(engine, { tasks, concurrency, ...warm }, (update) => {
      if (isUpdate(update)) this.#update(update, byChild);
      else this.#failInvalid(update, batch, byChild);
    });
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    const error = await work;
    signal?.removeEventListener('abort', cancel);
    this.#batches.delete(batch);
    this.#endAll(members, { status: 'failed', text: '', error });
  }

  #enlist(
    input: TaskInput,
    { order, call, batch }: { order: Order; call: TeamCall; batch: SupervisedBatch },
  ): Member {
    const task = this.#taskOf(input, order, call);
    const member = new Member(task, batch, call.emit);
    this.#members.set(task.child, member);
    return member;
  }

  #taskOf(
    { id, task, context, role }: TaskInput,
    { sharedContext, format, timeout }: Order,
    { id: call, ceiling }: TeamCall,
  ): SubagentTask {
    const { options, child: parent, depth } = this.#options;
    const { withhold = WITHHELD } = options;
    const path = parent === undefined ? `${call}/${id}` : `${parent}/${call}/${id}`;
    const budget = this.#budget.left();
    return {
      child: this.#options.names.of(call)?.[id] ?? this.#uniqueName(path),
      id,
      task,
      ...(context === undefined ? {} : { context }),
      ...(sharedContext === undefined ? {} : { sharedContext }),
      format,
      ...(role === undefined ? {} : { role }),
      without: withhold,
      ceiling,
      timeout,
      depth: depth - 1,
      ...(budget ? { budget } : {}),
    };
  }

  /** Adds a number to a name that is taken: some models reuse call ids in each answer. */
  #uniqueName(path: string): string {
    let child = path;
    const { names } = this.#options;
    for (let n = 2; this.#named.has(child) || names.isTaken(child); n++) child = `${path}#${n}`;
    this.#named.add(child);
    return child;
  }

  #update(update: EngineUpdate, members: ReadonlyMap<string, Member>): void {
    const member = members.get(update.type === 'result' ? update.result.child : update.child);
    // Updates of a child that has ended are ignored.
    if (!member || member.over.aborted) return;
    if (update.type === 'result') this.#end(member, update.result);
    else if (update.type === 'question') void this.#answer(member, update.question);
    else this.#emit(member, update.event);
  }

  /** Handles an invalid update: fails the child that it names, or the whole batch if it names none. */
  #failInvalid(
    update: unknown,
    batch: SupervisedBatch,
    members: ReadonlyMap<string, Member>,
  ): void {
    const child = ownProperty(update, 'child');
    const member = typeof child === 'string' ? members.get(child) : undefined;
    if (!member) {
      batch.lose('it sent an invalid update');
      return;
    }
    const error = 'The engine sent an invalid update.';
    this.#end(member, { status: 'failed', text: '', error });
    batch.send({ type: 'cancel', child: member.task.child });
  }

  #emit(member: Member, childEvent: AgentEvent): void {
    const { child, id: task } = member.task;
    const event = { type: 'subagent' as const, child, task, event: childEvent };
    member.emit(event);
    this.#stopIfExhausted();
  }

  /** Sends `stop` to all batches once no more children may start. */
  #stopIfExhausted(): void {
    const reason = this.#stopReason;
    if (reason === undefined) return;
    const batches = [...this.#batches];
    this.#batches.clear();
    for (const batch of batches) batch.send({ type: 'stop', reason });
  }

  async #answer(member: Member, question: SubagentQuestion): Promise<void> {
    const answer = await this.#questions.ask(member.task, question, member.over);
    const { child } = member.task;
    member.batch.send({ type: 'answer', child, question: question.id, answer });
  }

  #end(member: Member, ending: Ending): void {
    this.#members.delete(member.task.child);
    member.end(ending);
  }

  #endAll(members: readonly Member[], ending: Ending): void {
    for (const member of members) this.#end(member, ending);
  }

  /** Why no more children may start; undefined while they may. */
  get #stopReason(): string | undefined {
    const { stop } = this.#options;
    return stop?.aborted ? String(stop.reason) : this.#budget.exhausted;
  }

  get #patience(): number {
    return engineGrace(this.#options.depth);
  }
}
