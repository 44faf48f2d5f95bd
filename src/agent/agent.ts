import {
  generateText,
  type ModelMessage,
  ToolLoopAgent,
  type ToolSet,
  type UserModelMessage,
} from 'ai';
import { readUsage } from '../ai-sdk/usage.ts';
import { ToolfoldError } from '../errors.ts';
import { viewOf } from '../tools/view.ts';
import { checkAgentOptions, checkMoneyBudget } from './agent-check.ts';
import type {
  Agent,
  AgentOptions,
  AgentSpending,
  PendingApproval,
  TurnOptions,
} from './agent-options.ts';
import { ApprovalPolicy } from './approval-policy.ts';
import type { ApprovalAnswer } from './approvals.ts';
import type { AgentEvent, EndReason } from './events.ts';
import { Generation } from './generation.ts';
import { answered, closed, pendingIn, textsOf } from './history.ts';
import { identify, modelName, settingsOf } from './model-identity.ts';
import { unmatchedRoles } from './roles.ts';
import { createRouter } from './routing.ts';
import { Ledger, Meter, plus } from './spending.ts';
import { StreamEvents } from './stream-events.ts';
import { SUBAGENTS } from './subagents/limits.ts';
import type { RunningSubagent } from './subagents/team.ts';
import { teamOf } from './subagents/team-of.ts';
import { SystemText, systemKey } from './system-text.ts';
import { Turn } from './turn.ts';
import { type AgentContext, choiceOf, ownSettings, turnSettings } from './turn-settings.ts';
import { within } from './within.ts';

/** Milliseconds that a cancelled turn waits for tools that do not heed their signal. */
const GRACE = 5_000;

type Answers = Parameters<Agent['answer']>[0];

/** An agent over one conversation: the loop is the AI SDK's, tools are the fold's. */
export function createAgent(options: AgentOptions): Agent {
  return new FoldAgent(options);
}

class FoldAgent implements Agent {
  readonly #options: AgentOptions;
  readonly #context: AgentContext;
  readonly #meter: Meter;
  readonly #own = new Ledger();
  readonly #subagents = new Ledger();
  #generation: Generation | undefined;
  #messages: ModelMessage[];
  #pending: PendingApproval[];
  /** Answers to some of what is pending, until there are answers to all. */
  #answers: Answers = {};
  #toolsOn = true;
  #isWarned = false;
  #isRunning = false;

  constructor(options: AgentOptions) {
    checkAgentOptions(options);
    const { fold, approvals = {}, categories, hooks, instructions, model } = options;
    const bridges = new Set(fold.bridgeNames(model));
    const policy = new ApprovalPolicy(approvals, fold.layer);
    const identity = identify(model);
    this.#options = options;
    const price = settingsOf(options.models ?? {}, identity)?.price;
    checkMoneyBudget(options, modelName(identity), price);
    this.#meter = new Meter(identity, price);
    this.#context = {
      options,
      router: createRouter(categories),
      policy,
      system: new SystemText(instructions, hooks?.transformSystemPrompt),
      team: teamOf(options, { begin: createAgent, policy, ledger: this.#subagents }),
      model: identity,
      isReal: (name) => !bridges.has(name),
      areToolsOn: () => this.#toolsOn,
      count: (event) => this.#count(event),
    };
    this.#messages = [...(options.messages ?? [])];
    this.#pending = pendingIn(this.#messages);
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  get pending(): readonly PendingApproval[] {
    return this.#pending.filter(({ approvalId }) => !Object.hasOwn(this.#answers, approvalId));
  }

  get spending(): AgentSpending {
    const [own, subagents] = [this.#own.spent, this.#subagents.spent];
    return { own, subagents, total: plus(own, subagents) };
  }

  get subagents(): readonly RunningSubagent[] {
    return this.#context.team?.running ?? [];
  }

  async cancelSubagent(child: string): Promise<boolean> {
    return (await this.#context.team?.cancel(child)) ?? false;
  }

  setTools(on: boolean): void {
    this.#toolsOn = on;
  }

  send(text: string, options: TurnOptions = {}): AsyncIterable<AgentEvent> {
    this.#checkIdle();
    const said: UserModelMessage = { role: 'user', content: text };
    return this.#turn(() => [...closed(this.#messages), said], options);
  }

  answer(answers: Answers, options: TurnOptions = {}): AsyncIterable<AgentEvent> {
    this.#checkIdle();
    const ids = this.pending.map(({ approvalId }) => approvalId);
    const unknown = Object.keys(answers).find((id) => !ids.includes(id));
    if (unknown !== undefined || ids.length === 0) {
      throw new ToolfoldError(
        'invalid-option',
        unknown === undefined ? 'No approval is pending.' : `No approval "${unknown}" is pending.`,
        'Use the ids of `agent.pending`.',
      );
    }
    this.#answers = { ...this.#answers, ...answers };
    if (this.pending.length > 0) return this.#waiting(this.pending);
    for (const { approvalId, name } of this.#pending) {
      const answer = this.#answers[approvalId];
      if (answer) this.#context.policy.take(name, answer);
    }
    const all = answered(this.#answers);
    return this.#turn(() => [...this.#messages, ...all], options);
  }

  async ask(text: string, { signal }: TurnOptions = {}): Promise<string> {
    const instructions = await this.#context.system.text(systemKey(this.#options.role));
    const result = await generateText({
      ...this.#options.settings,
      model: this.#options.model,
      ...(instructions === undefined ? {} : { instructions }),
      messages: [...textsOf(this.#messages), { role: 'user', content: text }],
      ...(signal ? { abortSignal: signal } : {}),
    });
    this.#own.take(this.#meter.priceOf({ type: 'usage', ...readUsage(result.totalUsage) }));
    return result.text;
  }

  /** Puts its price on an event, and its tokens into the ledger. */
  #count(event: AgentEvent): AgentEvent {
    const priced = this.#meter.priced(event);
    if (priced.type === 'usage') this.#own.take(priced);
    return priced;
  }

  async *#waiting(open: readonly PendingApproval[]): AsyncIterable<AgentEvent> {
    yield* open;
    yield { type: 'end', reason: 'approval', text: '' };
  }

  #checkIdle(): void {
    if (!this.#isRunning) return;
    throw new ToolfoldError(
      'invalid-option',
      'A turn of this agent is under way.',
      'Wait for its `end`, or cancel it by its signal.',
    );
  }

  async *#turn(begin: () => ModelMessage[], options: TurnOptions): AsyncIterable<AgentEvent> {
    this.#checkIdle();
    this.#isRunning = true;
    const left = new AbortController();
    const given = options.signal ? [options.signal] : [];
    const signal = AbortSignal.any([left.signal, ...given]);
    const turn = new Turn(begin());
    this.#generation = undefined;
    this.#pending = [];
    this.#answers = {};
    try {
      yield* this.#warnings();
      for (;;) {
        const reason = yield* this.#generate(turn, signal);
        if (reason === undefined) continue;
        if (reason === 'cancelled') yield* this.#breakOff(turn, true);
        this.#isRunning = false;
        yield { type: 'end', reason, text: turn.text };
        return;
      }
    } catch (error) {
      const isCancelled = signal.aborted;
      left.abort();
      yield* this.#breakOff(turn, isCancelled);
      this.#isRunning = false;
      const reason = isCancelled ? 'cancelled' : 'error';
      yield { type: 'end', reason, text: turn.text, ...(isCancelled ? {} : { error }) };
    } finally {
      // Who leaves the loop early wants nothing to go on behind it.
      if (this.#isRunning) {
        left.abort();
        for await (const _ of this.#breakOff(turn, true));
        this.#isRunning = false;
      }
    }
  }

  /** Waits until nothing of a turn that broke off runs any more, and keeps what it has come to. */
  async *#breakOff(turn: Turn, isCancelled: boolean): AsyncGenerator<AgentEvent> {
    const { running, events } = turn;
    const generation = this.#generation;
    const runs = (isOfTeam: boolean) =>
      [...running].flatMap(([run, name]) => ((name === SUBAGENTS) === isOfTeam ? [run] : []));
    // The team waits for its children by itself, and they for their tools.
    await Promise.all([
      this.#context.team?.idle(),
      within(GRACE, [generation?.drain(), ...runs(false)]),
    ]);
    // What hooks make of a report.
    await within(GRACE, runs(true));
    for (const name of new Set(running.values())) {
      const text = `${name} still runs: it was told to stop and has not.`;
      events.push({ type: 'warning', text });
    }
    for (const part of turn.unread()) generation?.take(part);
    // A request that failed is charged nowhere.
    const unpaid = isCancelled ? this.#meter.brokenOff() : undefined;
    if (unpaid) events.push(this.#count(unpaid));
    this.#messages = turn.messages();
    this.#pending = pendingIn(this.#messages);
    yield* events.rest();
  }

  /** One generation; how the turn ended with it, or undefined where it goes on. */
  async *#generate(
    turn: Turn,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, EndReason | undefined> {
    const { fields, limit } = await turnSettings(this.#context, turn);
    const start = this.#start(turn.reached);
    if (start) yield start;
    const agent = new ToolLoopAgent<never, ToolSet>(fields as never);
    const sent = turn.reached;
    turn.begin(sent);
    const result = await agent.stream({ messages: sent, abortSignal: signal });
    const told = new StreamEvents(this.#context.isReal, limit === undefined);
    const count = (event: AgentEvent) => this.#count(event);
    const generation = new Generation(result.stream, { turn, told, count });
    this.#generation = generation;
    yield* generation.read();
    if (generation.failure) throw generation.failure.error;
    if (generation.isAborted) return 'cancelled';
    this.#messages = [...sent, ...(await result.responseMessages)];
    turn.begin(this.#messages);
    const { asked } = generation;
    if (asked.length > 0) return yield* this.#decide(turn, asked, signal);
    const finish = await result.finishReason;
    // Stopped in the middle: the loop has its own end, however much is loaded and searched.
    const isSpent = limit !== undefined && turn.rounds >= limit;
    if (finish === 'tool-calls' && !isSpent) yield { type: 'rounds', limit: limit ?? 0 };
    if (finish === 'tool-calls' || isSpent) return 'rounds';
    return finish === 'length' ? 'length' : 'done';
  }

  /** Asks the user where the app can; otherwise the turn ends here. */
  async *#decide(
    turn: Turn,
    asked: readonly PendingApproval[],
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, EndReason | undefined> {
    const { policy } = this.#context;
    if (!policy.canAsk) {
      this.#pending = [...asked];
      return 'approval';
    }
    const answers: Record<string, ApprovalAnswer> = {};
    for (const { approvalId, id, name, arguments: given, reason } of asked) {
      const why = reason === undefined ? {} : { reason };
      const answer = await policy.settle({ id, name, arguments: given, ...why, signal });
      answers[approvalId] = answer;
      const said = answer.reason === undefined ? {} : { reason: answer.reason };
      yield { type: 'decision', id, name, approved: answer.approved, ...said };
    }
    this.#messages = [...turn.reached, ...answered(answers)];
    turn.begin(this.#messages);
    return undefined;
  }

  #start(messages: readonly ModelMessage[]): AgentEvent | undefined {
    if (messages.at(-1)?.role !== 'user') return;
    const { fold, model, role } = this.#options;
    const given = role === undefined ? {} : { role };
    const own = ownSettings(this.#options, this.#context.model);
    const { strategy, reason } = fold.explain(model, { ...choiceOf(this.#context), ...own });
    return { type: 'start', model: modelName(this.#context.model), ...given, strategy, reason };
  }

  /** Once: what a role asks for and does not get. */
  *#warnings(): Iterable<AgentEvent> {
    const { fold, model, role, roles = {}, subagents, lineage } = this.#options;
    if (this.#isWarned) return;
    this.#isWarned = true;
    const hasTool = fold.layer.fingerprintOf(SUBAGENTS) !== undefined;
    if (hasTool && !subagents && !lineage) {
      const text = `The fold has the tool ${SUBAGENTS}, this agent nobody to send: createAgent({ subagents }).`;
      yield { type: 'warning', text };
    }
    const settings = role === undefined ? undefined : roles[role];
    if (role === undefined || !settings) return;
    if (subagents && !viewOf(roles, role).allows(fold.layer.addressOf(SUBAGENTS))) {
      const text = `The role "${role}" does not name the tool ${SUBAGENTS}: it sends no subagents.`;
      yield { type: 'warning', text };
    }
    const tools = fold.explain(model).tools.map(({ name }) => fold.layer.addressOf(name));
    for (const { matchesNothing } of unmatchedRoles({ [role]: settings }, tools)) {
      if (!matchesNothing) continue;
      const text = `The role "${role}" asks for tools, and none of those there are matches.`;
      yield { type: 'warning', text };
    }
  }
}
