import { errorMessage } from '../../errors.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../approvals.ts';
import type { AgentEvent } from '../events.ts';
import { Ledger } from '../spending.ts';
import { Budget } from './budget.ts';
import type {
  BatchRun,
  Engine,
  EngineUpdate,
  SubagentAnswer,
  SubagentQuestion,
  SubagentResult,
  SubagentTask,
} from './engine.ts';
import { type Order, readOrder, type SubagentInput } from './input.ts';
import { resultBytesOf, type SubagentOptions, WITHHELD } from './options.ts';
import { reportOf, type SubagentReport } from './report.ts';

/** Milliseconds that an engine has to end what is cancelled: more than that of this process takes. */
const PATIENCE = 20_000;

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
  readonly run: () => BatchRun | undefined;
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
  /** Those that may still start children. */
  readonly #runs = new Set<BatchRun>();
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
    member.run()?.send({ type: 'cancel', child });
    await member.finished;
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
    let run: BatchRun | undefined;
    const members = order.tasks.map((task) =>
      this.#enlist(this.#taskOf(task, order, call), () => run),
    );
    const batch = { tasks: members.map(({ task }) => task), concurrency: order.concurrency };
    const cancel = () => run?.send({ type: 'cancel' });
    let failure = 'The engine lost it.';
    try {
      call.signal?.addEventListener('abort', cancel, { once: true });
      const spent = this.#budget.spent;
      if (spent === undefined) {
        run = engine.start(batch, (update) => this.#update(update, call));
        this.#runs.add(run);
        if (call.signal?.aborted) cancel();
        await ended(run, call.signal);
      } else {
        for (const { task } of members) {
          this.#end({ ...named(task), status: 'not_started', text: '', error: spent }, call);
        }
      }
    } catch (error) {
      failure = `The engine failed: ${errorMessage(error)}`;
    } finally {
      call.signal?.removeEventListener('abort', cancel);
      if (run) this.#runs.delete(run);
      for (const { task } of members) {
        this.#end({ ...named(task), status: 'failed', text: '', error: failure }, call);
      }
    }
    const results = await Promise.all(members.map(({ finished }) => finished));
    const { format } = order;
    return reportOf(
      results.map((result) => ({ ...result, format })),
      resultBytesOf(options),
    );
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
    for (let n = 2; this.#members.has(child); n++) child = `${path}#${n}`;
    return child;
  }

  #enlist(task: SubagentTask, run: Member['run']): Member {
    const { promise: finished, resolve: finish } = Promise.withResolvers<SubagentResult>();
    const over = new AbortController();
    const member = { task, run, ledger: new Ledger(), over, finished, finish };
    this.#members.set(task.child, member);
    return member;
  }

  #update(update: EngineUpdate, call: TeamCall): void {
    if (update.type === 'result') {
      this.#end(update.result, call);
      return;
    }
    const member = this.#members.get(update.child);
    if (!member) return;
    if (update.type === 'question') {
      void this.#answer(member, update.question);
      return;
    }
    const { child, id: task } = member.task;
    const event = { type: 'subagent' as const, child, task, event: update.event };
    member.ledger.take(event);
    this.#given.ledger.take(event);
    call.tell(event);
    const reason = this.#budget.spent;
    if (reason === undefined) return;
    for (const run of this.#runs) run.send({ type: 'stop', reason });
    this.#runs.clear();
  }

  /** The first result counts. */
  #end(result: SubagentResult, call: TeamCall): void {
    const { child, id: task, status, error } = result;
    const member = this.#members.get(child);
    if (!member) return;
    this.#members.delete(child);
    member.over.abort();
    const why = error === undefined ? {} : { error };
    const spent = member.ledger.spent;
    call.tell({ type: 'subagent-end', child, task, status, ...why, spent });
    member.finish(result);
  }

  async #answer({ task, run, over }: Member, question: SubagentQuestion): Promise<void> {
    const answer = this.#asking.then(() => this.#ask(task, question, over.signal));
    this.#asking = answer;
    const { child } = task;
    const said = await answer;
    run()?.send({ type: 'answer', child, question: question.id, answer: said });
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

/** Settles with the batch; rejects where it has been cancelled and does not end. */
async function ended({ finished }: BatchRun, signal: AbortSignal | undefined): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    timer = setTimeout(() => reject(new Error('it did not end what was cancelled')), PATIENCE);
  };
  if (signal?.aborted) wait();
  else signal?.addEventListener('abort', wait, { once: true });
  try {
    await Promise.race([finished, late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', wait);
  }
}

function named({ child, id }: SubagentTask): Pick<SubagentTask, 'child' | 'id'> {
  return { child, id };
}
