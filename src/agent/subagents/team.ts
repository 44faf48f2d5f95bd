import type { SubagentBudget } from '../../config/index.ts';
import type { AgentEvent, Spending } from '../events/index.ts';
import type { RunningSubagent } from '../options/index.ts';
import { engineGrace } from '../timing/index.ts';
import type { Ledger } from '../usage/index.ts';
import { type Engine, RESULT_BYTES, type SubagentTask } from './engine/index.ts';
import { type AskParent, askParent, type ParentUser } from './questions.ts';
import { reportOf, type SubagentReport } from './report/index.ts';
import { RunningCall } from './running-call.ts';
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
  /** Receives the cost of all children. */
  readonly ledger: Pick<Ledger, 'take'>;
  /** The spending that counts against the budget. */
  readonly spent: () => Spending;
  /** Fires when no more children may start. Its reason is a text for the model. */
  readonly stop: AbortSignal | undefined;
  /** The parent's own child name, if the parent is a child. */
  readonly child: string | undefined;
  /** Levels of children below the parent's own. */
  readonly depth: number;
  readonly user: ParentUser;
  /** Cancels a child of a child. Resolves with false if there is none with this name in this process. */
  readonly cancelBelow: (child: string) => Promise<boolean>;
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
  readonly #ask: AskParent;
  readonly #grace: number;
  /** Names of all past and present children. No name is used twice. */
  readonly #named = new Set<string>();
  readonly #calls = new Set<RunningCall>();
  readonly #open = new Set<Promise<unknown>>();

  constructor(options: TeamOptions) {
    this.#options = options;
    this.#ask = askParent(options.user);
    this.#grace = engineGrace(options.depth);
    options.stop?.addEventListener('abort', () => this.#stopIfExhausted(), { once: true });
  }

  /** Children that have not ended. */
  get running(): readonly RunningSubagent[] {
    const tasks = [...this.#calls].flatMap(({ running }) => running);
    return tasks.map(({ child, id: task, role }) => ({
      child,
      task,
      ...(role === undefined ? {} : { role }),
    }));
  }

  /**
   * Cancels one child, or a child of a child. Returns false if there is no such child. Resolves when the
   * child has stopped or is given up.
   */
  async cancel(name: string): Promise<boolean> {
    for (const call of this.#calls) {
      if (!call.running.some(({ child }) => child === name)) continue;
      await call.cancel(name);
      return true;
    }
    return this.#options.cancelBelow(name);
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
    const { names, options, engine } = this.#options;
    const order = await readOrder(input, options);
    const tasks = order.tasks.map((task) => this.#taskOf(task, order, call));
    const emit = (event: AgentEvent) => this.#emit(event, call);
    const running = new RunningCall({ tasks, grace: this.#grace, emit, ask: this.#ask });
    this.#calls.add(running);
    try {
      if (!names.of(call.id))
        await names.keep(call.id, Object.fromEntries(tasks.map(({ id, child }) => [id, child])));
      const reason = this.#stopReason;
      const { concurrency, format } = order;
      const { warmCache, resultBytes = RESULT_BYTES } = options;
      const warm = warmCache === undefined ? {} : { warmCache };
      if (reason !== undefined) running.end({ status: 'not_started', text: '', error: reason });
      else await running.run(engine, { concurrency, ...warm }, call.signal);
      const results = await running.results;
      return reportOf(
        results.map((result) => ({ ...result, format })),
        resultBytes,
      );
    } finally {
      this.#calls.delete(running);
    }
  }

  #taskOf(
    { id, task, context, role }: TaskInput,
    { sharedContext, format, timeout }: Order,
    { id: call, ceiling }: TeamCall,
  ): SubagentTask {
    const { options, child: parent, depth, names } = this.#options;
    const { withhold = WITHHELD } = options;
    const path = parent === undefined ? `${call}/${id}` : `${parent}/${call}/${id}`;
    const budget = leftOf(options.budget, this.#options.spent());
    return {
      child: names.of(call)?.[id] ?? this.#uniqueName(path),
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

  #emit(event: AgentEvent, call: TeamCall): void {
    this.#options.ledger.take(event);
    call.emit(event);
    this.#stopIfExhausted();
  }

  #stopIfExhausted(): void {
    const reason = this.#stopReason;
    if (reason !== undefined) for (const call of this.#calls) call.stop(reason);
  }

  /** Why no more children may start; undefined while they may. */
  get #stopReason(): string | undefined {
    const { stop, options, spent } = this.#options;
    return stop?.aborted ? String(stop.reason) : exhaustedBy(options.budget, spent());
  }
}

/** Why, for the model, the budget allows no more children; undefined while it does. */
function exhaustedBy(
  { tokens = Number.POSITIVE_INFINITY, cost }: SubagentBudget = {},
  spent: Spending,
): string | undefined {
  if (spent.input + spent.output >= tokens) return 'The budget for subagents is used up.';
  if (cost === undefined) return;
  if (spent.cost >= cost) return 'The budget for subagents is used up.';
  return spent.unpriced > 0
    ? 'The budget is in money, but the price of the model is not known.'
    : undefined;
}

/** The remaining budget, for children of children; undefined if there is no limit. */
function leftOf(
  { tokens, cost }: SubagentBudget = {},
  spent: Spending,
): SubagentBudget | undefined {
  if (tokens === undefined && cost === undefined) return;
  return {
    ...(tokens === undefined ? {} : { tokens: Math.max(1, tokens - spent.input - spent.output) }),
    ...(cost === undefined ? {} : { cost: Math.max(Number.MIN_VALUE, cost - spent.cost) }),
  };
}
