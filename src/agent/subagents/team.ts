import { own } from '../../tools/values/index.ts';
import type { AgentEvent, Spending } from '../events/index.ts';
import type { RunningSubagent } from '../options/index.ts';
import { engineGrace, within } from '../timing/index.ts';
import type { Ledger } from '../usage/index.ts';
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
import { type AskUser, Questions } from './questions.ts';
import { reportOf, type SubagentReport } from './report/index.ts';
import { SupervisedBatch } from './supervised-batch.ts';
import { type Order, readOrder, type SubagentOptions, type TaskInput } from './tool/index.ts';
import { WITHHELD } from './withheld.ts';

export interface TeamOptions {
  readonly options: SubagentOptions;
  readonly engine: Engine;
  /** What all children together have cost is added here. */
  readonly ledger: Ledger;
  /** What counts against the budget. */
  readonly spent: () => Spending;
  /** Fires when it is to send no more children; the reason says why. */
  readonly stop: AbortSignal | undefined;
  /** The child that the parent itself is, where it is one. */
  readonly child: string | undefined;
  /** Levels of children below the parent's own. */
  readonly depth: number;
  readonly ask: AskUser;
}

/** The call of the tool that a team works on. */
export interface TeamCall {
  readonly id: string;
  readonly signal: AbortSignal | undefined;
  /** What the parent may use at this moment. */
  readonly ceiling: SubagentTask['ceiling'];
  readonly tell: (event: AgentEvent) => void;
}

/** The children of one agent, over all its calls of the tool. */
export class Team {
  readonly #given: TeamOptions;
  readonly #budget: Budget;
  readonly #questions: Questions;
  /** Those that have not ended, by child. */
  readonly #members = new Map<string, Member>();
  /** Names of all children there have been: none is given twice. */
  readonly #named = new Set<string>();
  /** Those that may still start children. */
  readonly #batches = new Set<SupervisedBatch>();
  readonly #open = new Set<Promise<unknown>>();

  constructor(given: TeamOptions) {
    this.#given = given;
    this.#budget = new Budget(given.options.budget, given.spent);
    this.#questions = new Questions(given.ask);
    given.stop?.addEventListener('abort', () => this.#stop(), { once: true });
  }

  /** Children that have not ended. */
  get running(): readonly RunningSubagent[] {
    return [...this.#members.values()].map(({ task: { child, id, role } }) => ({
      child,
      task: id,
      ...(role === undefined ? {} : { role }),
    }));
  }

  /** Ends one child, whose task is then `cancelled`; false where there is none. Resolves when nothing of it runs. */
  async cancel(child: string): Promise<boolean> {
    const member = this.#members.get(child);
    if (!member) return false;
    member.batch.send({ type: 'cancel', child });
    await within(this.#patience, [member.finished]);
    this.#end(member, { status: 'cancelled', text: '', error: 'It was told to stop and has not.' });
    return true;
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled([...this.#open]);
  }

  /**
   * Does the tasks of one call. Throws only what the model can mend before anything starts; whatever
   * becomes of the children, cancelled with their parent too, is in the report.
   */
  run(input: unknown, call: TeamCall): Promise<SubagentReport> {
    const report = this.#work(input, call);
    this.#open.add(report);
    return report.finally(() => this.#open.delete(report));
  }

  async #work(input: unknown, call: TeamCall): Promise<SubagentReport> {
    const order = await readOrder(input, this.#given.options);
    const batch = new SupervisedBatch(this.#patience);
    const members = order.tasks.map((task) => this.#enlist(task, { order, call, batch }));
    const spent = this.#whyNoMore;
    if (spent === undefined) await this.#hand(batch, members, order.concurrency, call.signal);
    else this.#endAll(members, { status: 'not_started', text: '', error: spent });
    const results = await Promise.all(members.map(({ finished }) => finished));
    const { resultBytes = RESULT_BYTES } = this.#given.options;
    const { format } = order;
    return reportOf(
      results.map((result) => ({ ...result, format })),
      resultBytes,
    );
  }

  /** Resolves when all of them have ended and the engine has done with them, whatever it did. */
  async #hand(
    batch: SupervisedBatch,
    members: readonly Member[],
    concurrency: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const cancel = () => {
      batch.send({ type: 'cancel' });
      batch.expectEnd();
    };
    // With all results there is nothing more to wait for but that it says so.
    void Promise.all(members.map(({ finished }) => finished)).then(() => batch.expectEnd());
    this.#batches.add(batch);
    const { engine, options } = this.#given;
    const tasks = members.map(({ task }) => task);
    const ahead = options.warmCache === undefined ? {} : { warmCache: options.warmCache };
    const byChild = new Map(members.map((member) => [member.task.child, member]));
    const work = batch.workIn(engine, { tasks, concurrency, ...ahead }, (told) => {
      if (isUpdate(told)) this.#update(told, byChild);
      else this.#misled(told, batch, byChild);
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
    const member = new Member(task, batch, call.tell);
    this.#members.set(task.child, member);
    return member;
  }

  #taskOf(
    { id, task, context, role }: TaskInput,
    { sharedContext, format, timeout }: Order,
    { id: call, ceiling }: TeamCall,
  ): SubagentTask {
    const { options, child: parent, depth } = this.#given;
    const { withhold = WITHHELD } = options;
    const path = parent === undefined ? `${call}/${id}` : `${parent}/${call}/${id}`;
    const budget = this.#budget.left();
    return {
      child: this.#free(path),
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

  /** Some models number their calls anew in each answer. */
  #free(path: string): string {
    let child = path;
    for (let n = 2; this.#named.has(child); n++) child = `${path}#${n}`;
    this.#named.add(child);
    return child;
  }

  #update(update: EngineUpdate, members: ReadonlyMap<string, Member>): void {
    const member = members.get(update.type === 'result' ? update.result.child : update.child);
    // What comes late is of no use to anybody.
    if (!member || member.over.aborted) return;
    if (update.type === 'result') this.#end(member, update.result);
    else if (update.type === 'question') void this.#answer(member, update.question);
    else this.#tell(member, update.event);
  }

  /** An engine has told what is no update: the child that it is of has failed, or where it is of none, all have. */
  #misled(told: unknown, batch: SupervisedBatch, members: ReadonlyMap<string, Member>): void {
    const child = own(told, 'child');
    const member = typeof child === 'string' ? members.get(child) : undefined;
    if (!member) {
      batch.lose('it told what is no update');
      return;
    }
    const error = 'The engine told what is no update.';
    this.#end(member, { status: 'failed', text: '', error });
    batch.send({ type: 'cancel', child: member.task.child });
  }

  #tell(member: Member, told: AgentEvent): void {
    const { child, id: task } = member.task;
    const event = { type: 'subagent' as const, child, task, event: told };
    this.#given.ledger.take(event);
    member.tell(event);
    this.#stop();
  }

  /** Where no more children are to begin: tells it to all who still would have them begin. */
  #stop(): void {
    const reason = this.#whyNoMore;
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

  #end(member: Member, told: Ending): void {
    this.#members.delete(member.task.child);
    member.end(told);
  }

  #endAll(members: readonly Member[], told: Ending): void {
    for (const member of members) this.#end(member, told);
  }

  get #whyNoMore(): string | undefined {
    const { stop } = this.#given;
    return stop?.aborted ? String(stop.reason) : this.#budget.spent;
  }

  get #patience(): number {
    return engineGrace(this.#given.depth);
  }
}
