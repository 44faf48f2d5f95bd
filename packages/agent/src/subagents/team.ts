import type { SubagentBudget } from '@toolfold/config/internal/settings';
import { invalidOption } from '@toolfold/core/internal/errors.ts';
import { pick } from '@toolfold/core/internal/values';
import type { AgentEvent, Spending } from '../events/index.ts';
import type { Log } from '../log/index.ts';
import type {
  Agent,
  AgentOptions,
  ApprovalPolicy,
  Elicitations,
  Lineage,
  Remote,
  RunningSubagent,
} from '../options/index.ts';
import { KNOWN_SERVERS } from '../routing/index.ts';
import {
  type Engine,
  engineGrace,
  limitsOf,
  RESULT_BYTES,
  readOrder,
  reportOf,
  type SharedInput,
  type SubagentOptions,
  type SubagentReport,
  type Subagents,
  type SubagentTask,
  type TaskInput,
  type Work,
} from '../tasks/index.ts';
import { type BeginChild, inheritedFrom, workWith } from './child.ts';
import { createInProcessEngine } from './in-process.ts';
import { type AskParent, askParent, RunningCall } from './running-call.ts';
import { isKept } from './unknown-calls.ts';

/** What an agent has whatever its options are, as far as its team uses it. */
export interface TeamParts {
  readonly beginChild: BeginChild;
  /** Set if the agent works for a parent agent. */
  readonly lineage: Lineage | undefined;
  readonly policy: ApprovalPolicy;
  /** The user behind the agent. */
  readonly user: object;
  readonly remote: Remote;
  readonly elicitations: Elicitations;
  readonly log: Log;
  /** Decides about a call whose outcome is unknown, of the agent or of a child. */
  readonly choose: NonNullable<AgentOptions['onUnknown']>;
}

/** One call of the tool `subagents`. */
interface SubagentsCall {
  readonly id: string;
  readonly signal: AbortSignal | undefined;
  /** The tools that the parent may use at this moment. */
  readonly ceiling: SubagentTask['ceiling'];
  readonly emit: (event: AgentEvent) => void;
}

/** The children of one agent, over all its calls of the tool `subagents`. */
export class Team {
  readonly #options: SubagentOptions;
  readonly #parts: TeamParts;
  readonly #engine: Engine;
  readonly #ask: AskParent;
  /** Levels of children below the agent. */
  readonly #depth: number;
  readonly #calls = new Set<RunningCall>();
  readonly #open = new Set<Promise<unknown>>();
  /** The agents of children that work in this process, by child name. */
  readonly #agents = new Map<string, Pick<Agent, 'cancelSubagent'>>();

  constructor(agent: AgentOptions, subagents: Subagents, parts: TeamParts) {
    const { lineage, user, remote, log, choose } = parts;
    const { session } = log;
    const { fold, model } = agent;
    const work = workWith(parts.beginChild, {
      ...{ subagents, fold, model, user, remoteAnswers: remote.answer },
      inherited: inheritedFrom(agent),
      running: this.#agents,
      // A child goes on with its session, or begins with a new one.
      sessionOf:
        session &&
        (async (child) => {
          await isKept({ session, state: log.state }, child);
          return session.child(child);
        }),
      onUnknown: choose,
    });
    this.#options = subagents.options;
    this.#parts = parts;
    this.#engine = engineOf(subagents.options, work);
    this.#ask = askParent(parts);
    this.#depth = lineage?.depth ?? subagents.options.depth ?? 1;
    lineage?.stop.addEventListener('abort', () => this.#stopIfExhausted(), { once: true });
  }

  /** Children that have not ended. */
  get running(): readonly RunningSubagent[] {
    const tasks = [...this.#calls].flatMap(({ running }) => running);
    return tasks.map(({ id: task, ...of }) => ({ task, ...pick(of, 'child', 'role') }));
  }

  /**
   * Cancels one child, or a child of a child. Returns false if there is no such child. Resolves when the
   * child has stopped or is given up.
   */
  async cancel(name: string): Promise<boolean> {
    for (const call of this.#calls) if (await call.cancel(name)) return true;
    for (const agent of this.#agents.values()) if (await agent.cancelSubagent(name)) return true;
    return false;
  }

  /** Resolves when no call of the tool is running. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled([...this.#open]);
  }

  /**
   * Runs the tasks of one call. Throws only for invalid input, which the model can correct, before any
   * task starts. All later outcomes of children, also cancellation, are in the report.
   */
  run(input: unknown, call: SubagentsCall): Promise<SubagentReport> {
    const report = this.#work(input, call);
    this.#open.add(report);
    return report.finally(() => this.#open.delete(report));
  }

  async #work(input: unknown, call: SubagentsCall): Promise<SubagentReport> {
    const { log } = this.#parts;
    const { tasks: inputs, concurrency, ...shared } = await readOrder(input, this.#options);
    const tasks = inputs.map((given) => this.#taskOf({ ...given, ...shared }, call));
    const emit = (event: AgentEvent) => {
      call.emit(event);
      this.#stopIfExhausted();
    };
    const grace = engineGrace(this.#depth);
    const running = new RunningCall({ tasks, grace, emit, ask: this.#ask });
    this.#calls.add(running);
    try {
      const known = log.state.children.get(call.id) ?? {};
      const names = Object.fromEntries(tasks.map(({ id, child }) => [id, child]));
      if (tasks.some(({ id }) => !Object.hasOwn(known, id)))
        await log.append(['children', { id: call.id, names: { ...known, ...names } }]);
      const reason = this.#stopReason;
      const { warmCache, resultBytes = RESULT_BYTES } = this.#options;
      if (reason !== undefined) running.end({ status: 'not_started', text: '', error: reason });
      else await running.run(this.#engine, { concurrency, warmCache }, call.signal);
      return reportOf(await running.results, resultBytes);
    } finally {
      this.#calls.delete(running);
    }
  }

  #taskOf(given: TaskInput & SharedInput, { id: call, ceiling }: SubagentsCall): SubagentTask {
    const { withhold = WITHHELD } = this.#options;
    const { lineage, log } = this.#parts;
    const path = `${lineage ? `${lineage.child}/` : ''}${call}/${given.id}`;
    const budget = this.#left;
    return {
      ...given,
      // A call that is run again in another process has the same children.
      child: log.state.children.get(call)?.[given.id] ?? this.#uniqueName(path),
      without: withhold,
      ceiling,
      depth: this.#depth - 1,
      ...(Object.keys(budget).length > 0 ? { budget } : {}),
    };
  }

  /** Adds a number to a name that is taken: some models reuse call ids in each answer. */
  #uniqueName(path: string): string {
    let child = path;
    const { named } = this.#parts.log.state;
    for (let n = 2; named.has(child); n++) child = `${path}#${n}`;
    return child;
  }

  #stopIfExhausted(): void {
    const reason = this.#stopReason;
    if (reason !== undefined) for (const call of this.#calls) call.stop(reason);
  }

  /** Why, for the model, no more children may start; undefined while they may. */
  get #stopReason(): string | undefined {
    const { stop } = this.#parts.lineage ?? {};
    if (stop?.aborted) return String(stop.reason);
    const { tokens = 1, cost = 1 } = this.#left;
    if (tokens <= 0 || cost <= 0) return 'The budget for subagents is used up.';
    return this.#options.budget?.cost !== undefined && this.#spent.unpriced > 0
      ? 'The budget is in money, but the price of the model is not known.'
      : undefined;
  }

  /** What is left of the budget. Without a limit, nothing. */
  get #left(): SubagentBudget {
    const { tokens, cost } = this.#options.budget ?? {};
    const spent = this.#spent;
    return {
      ...(tokens === undefined ? {} : { tokens: tokens - spent.input - spent.output }),
      ...(cost === undefined ? {} : { cost: cost - spent.cost }),
    };
  }

  /** A child's budget covers its own requests too. The budget of a top-level agent covers only its subagents. */
  get #spent(): Spending {
    const { lineage, log } = this.#parts;
    return log.state.accounts.spending[lineage ? 'total' : 'subagents'];
  }
}

function engineOf(options: SubagentOptions, work: Work): Engine {
  const { engine } = options;
  const limits = limitsOf(options);
  if (engine === undefined) return createInProcessEngine(work, { slots: limits.concurrency });
  if (typeof engine !== 'function') return engine;
  const made = engine(work, limits);
  if (typeof made?.start === 'function') return made;
  const expected = 'a function that returns an object with a function `start`';
  throw invalidOption('subagents.engine', expected);
}

/** Common names of an app's own tools that send something to the user. */
const TO_THE_USER = names(
  'ask_user* ask_human* ask_followup* ask_question* request_user_input* request_input* prompt_user* ' +
    'message_user* notify_user* send_message_to_user* send_to_user* reply* send_reply*',
);

/** Common names of an app's own tools for memory across conversations. */
const MEMORY = names(
  'memory* memories* remember* recall* save_memor* add_memor* store_memor* create_memor* update_memor* ' +
    'delete_memor* search_memor* read_memor* list_memor* get_memor* manage_memor*',
);

/**
 * Globs of tools that children do not get by default: memory tools, and tools that send something to
 * the user. A bare name never matches a tool of a group, so of servers only memory servers are listed.
 */
export const WITHHELD: readonly string[] = [...KNOWN_SERVERS.memory, ...MEMORY, ...TO_THE_USER];

/** Each name in four spellings: `ask_user`, `ask-user`, `askUser` and `AskUser`. */
function names(list: string): string[] {
  const spellings = list.split(' ').flatMap((name) => {
    const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const pascal = camel.replace(/^\w/, (letter) => letter.toUpperCase());
    return [name, name.replaceAll('_', '-'), camel, pascal];
  });
  return [...new Set(spellings)];
}
