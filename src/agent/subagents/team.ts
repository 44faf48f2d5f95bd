import { errorMessage } from '../../errors.ts';
import { own } from '../../tools/json.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../approvals.ts';
import type { AgentEvent } from '../events.ts';
import { Ledger } from '../spending.ts';
import { within } from '../within.ts';
import { Budget } from './budget.ts';
import {
  type BatchRun,
  type Engine,
  type EngineCommand,
  type EngineUpdate,
  STATUSES,
  type SubagentAnswer,
  type SubagentQuestion,
  type SubagentResult,
  type SubagentTask,
} from './engine.ts';
import { type Order, readOrder, type SubagentInput } from './input.ts';
import { type SubagentOptions, WITHHELD } from './options.ts';
import { Patience } from './patience.ts';
import { RESULT_BYTES, reportOf, type SubagentReport } from './report.ts';

/**
 * Milliseconds that an engine has to end what is to end, for each level of children: more than the one
 * of this process takes.
 */
const PATIENCE = 15_000;

/** What an engine is taken to have said that gives no result in its proper form. */
const NO_RESULT = {
  status: 'failed',
  text: '',
  error: 'The engine gave no proper result.',
} as const;

export interface TeamOptions {
  readonly options: SubagentOptions;
  readonly engine: Engine;
  /** What all children together have cost is added here. */
  readonly ledger: Ledger;
  /** The child that the parent itself is, where it is one. */
  readonly child: string | undefined;
  /** Levels of children below the parent's own. */
  readonly depth: number;
  /** Asks the parent's user. */
  readonly ask: (request: ApprovalRequest) => Promise<ApprovalAnswer>;
}

/** The call of the tool that a team works on. */
export interface TeamCall {
  readonly id: string;
  readonly signal: AbortSignal | undefined;
  /** What the parent may use at this moment. */
  readonly ceiling: SubagentTask['ceiling'];
  readonly tell: (event: AgentEvent) => void;
}

/** A subagent at work, or waiting for its turn. */
export interface RunningSubagent {
  /** For `agent.cancelSubagent`. */
  readonly child: string;
  readonly task: string;
  readonly role?: string;
}

interface Member {
  readonly task: SubagentTask;
  readonly call: TeamCall;
  /** Where it works, once that has begun. */
  run: BatchRun | undefined;
  readonly ledger: Ledger;
  /** Fires when the child has ended: nobody waits for answers to its questions. */
  readonly over: AbortController;
  readonly finished: Promise<SubagentResult>;
  readonly finish: (result: SubagentResult) => void;
}

/** The children of one agent, over all its calls of the tool. */
export class Team {
  readonly #given: TeamOptions;
  readonly #budget: Budget;
  readonly #members = new Map<string, Member>();
  /** Names of all children there have been. */
  readonly #named = new Set<string>();
  /** Those that may still start children. */
  readonly #runs = new Set<BatchRun>();
  /** How long batches are waited for that are to end. */
  readonly #patience = new WeakMap<BatchRun, Patience>();
  readonly #open = new Set<Promise<unknown>>();
  /** The questions that wait for the user, one behind the other. */
  #asking: Promise<unknown> = Promise.resolve();

  constructor(given: TeamOptions) {
    this.#given = given;
    this.#budget = new Budget(given.options.budget, given.ledger);
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
    this.#send(member.run, { type: 'cancel', child });
    await within(PATIENCE * this.#given.depth, [member.finished]);
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
  run(input: SubagentInput, call: TeamCall): Promise<SubagentReport> {
    const order = readOrder(input, this.#given.options);
    const report = this.#work(order, call);
    this.#open.add(report);
    return report.finally(() => this.#open.delete(report));
  }

  async #work(order: Order, call: TeamCall): Promise<SubagentReport> {
    const { engine, options } = this.#given;
    const members = order.tasks.map((task) => this.#enlist(task, order, call));
    const spent = this.#budget.spent;
    if (spent === undefined) {
      await this.#hand(members, order.concurrency, engine, call.signal);
    } else {
      for (const member of members)
        this.#end(member, { status: 'not_started', text: '', error: spent });
    }
    const results = await Promise.all(members.map(({ finished }) => finished));
    const { format } = order;
    return reportOf(
      results.map((result) => ({ ...result, format })),
      options.resultBytes ?? RESULT_BYTES,
    );
  }

  /** Resolves when the engine has done with them, whatever it did. */
  async #hand(
    members: readonly Member[],
    concurrency: number,
    engine: Engine,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const byChild = new Map(members.map((member) => [member.task.child, member]));
    const patience = new Patience(PATIENCE * this.#given.depth);
    const ends = Promise.all(members.map(({ finished }) => finished));
    let run: BatchRun | undefined;
    const cancel = () => {
      this.#send(run, { type: 'cancel' });
      patience.begin();
    };
    let failure = 'The engine lost it.';
    try {
      const batch = { tasks: members.map(({ task }) => task), concurrency };
      run = engine.start(batch, (update) => this.#update(update, byChild));
      for (const member of members) member.run = run;
      this.#runs.add(run);
      this.#patience.set(run, patience);
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
      // With all results there is nothing more to wait for but that it says so.
      void ends.then(() => patience.begin());
      await Promise.race([run.finished, patience.lost]);
    } catch (error) {
      failure = `The engine failed: ${errorMessage(error)}`;
    } finally {
      signal?.removeEventListener('abort', cancel);
      patience.end();
      if (run) this.#runs.delete(run);
      for (const member of members)
        this.#end(member, { status: 'failed', text: '', error: failure });
    }
  }

  /** An engine that cannot be told anything has lost what it was given. */
  #send(run: BatchRun | undefined, command: EngineCommand): void {
    try {
      run?.send(command);
    } catch (error) {
      if (run) this.#patience.get(run)?.lose(error);
    }
  }

  #taskOf(
    { id, task, context, role }: Order['tasks'][number],
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

  #enlist(input: Order['tasks'][number], order: Order, call: TeamCall): Member {
    const task = this.#taskOf(input, order, call);
    const { promise: finished, resolve: finish } = Promise.withResolvers<SubagentResult>();
    const over = new AbortController();
    const ledger = new Ledger();
    const member: Member = { task, call, run: undefined, ledger, over, finished, finish };
    this.#members.set(task.child, member);
    return member;
  }

  #update(update: EngineUpdate, members: ReadonlyMap<string, Member>): void {
    const member = members.get(update.type === 'result' ? update.result?.child : update.child);
    // What comes late is of no use to anybody.
    if (!member || this.#members.get(member.task.child) !== member) return;
    if (update.type === 'result') {
      this.#end(member, update.result);
      return;
    }
    if (update.type === 'question') {
      void this.#answer(member, update.question);
      return;
    }
    const { child, id: task } = member.task;
    const event = { type: 'subagent' as const, child, task, event: update.event };
    member.ledger.take(event);
    this.#given.ledger.take(event);
    member.call.tell(event);
    const reason = this.#budget.spent;
    if (reason === undefined) return;
    const runs = [...this.#runs];
    this.#runs.clear();
    for (const run of runs) this.#send(run, { type: 'stop', reason });
  }

  /** The first result counts. */
  #end(member: Member, told: Pick<SubagentResult, 'status' | 'text' | 'error'>): void {
    const { child, id: task } = member.task;
    if (this.#members.get(child) !== member) return;
    this.#members.delete(child);
    member.over.abort();
    const { status, text, error } = isResult(told) ? told : NO_RESULT;
    const why = error === undefined ? {} : { error };
    const spent = member.ledger.spent;
    member.call.tell({ type: 'subagent-end', child, task, status, ...why, spent });
    member.finish({ child, id: task, status, text, ...why });
  }

  async #answer(member: Member, question: SubagentQuestion): Promise<void> {
    const { task, over } = member;
    const answer = this.#asking.then(() => this.#ask(task, question, over.signal));
    this.#asking = answer;
    const { child } = task;
    const said = await answer;
    this.#send(member.run, { type: 'answer', child, question: question.id, answer: said });
  }

  async #ask(
    task: SubagentTask,
    { id, asker, name, arguments: given, reason }: SubagentQuestion,
    signal: AbortSignal,
  ): Promise<SubagentAnswer> {
    if (signal.aborted) return { approved: false };
    try {
      const { approved, reason: said } = await this.#given.ask({
        id: `${task.child}/${id}`,
        name,
        arguments: given,
        ...(reason === undefined ? {} : { reason }),
        subagent: asker === undefined ? task.id : `${task.id}/${asker}`,
        signal,
      });
      return said === undefined ? { approved } : { approved, reason: said };
    } catch (error) {
      return { approved: false, reason: `The user could not be asked: ${errorMessage(error)}` };
    }
  }
}

function isResult(told: unknown): told is Pick<SubagentResult, 'status' | 'text' | 'error'> {
  const [status, text, error] = [own(told, 'status'), own(told, 'text'), own(told, 'error')];
  const isKnown = (STATUSES as readonly unknown[]).includes(status);
  return isKnown && typeof text === 'string' && ['string', 'undefined'].includes(typeof error);
}
