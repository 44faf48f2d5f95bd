import type { ModelMessage, UserModelMessage } from 'ai';
import type { TokenPrice } from '../config/index.ts';
import { ToolfoldError } from '../errors.ts';
import type { ElicitationAnswer } from '../tools/tool/index.ts';
import { AgentState } from './agent-state.ts';
import { checkAgentOptions, checkMoneyBudget, requireText } from './agent-check.ts';
import { ApprovalPolicy } from './approvals/index.ts';
import { closed, NOT_APPROVED, openCalls, pendingIn, resumable, textsOf } from './conversation/index.ts';
import { applyAnswers, decide } from './decide.ts';
import { Elicitations } from './elicitations/index.ts';
import type { Elicitation, PendingApproval } from './events/index.ts';
import { CallLog } from './journal/index.ts';
import type {
  Agent,
  AgentFold,
  AgentOptions,
  AgentSpending,
  AgentToolOptions,
  Lineage,
  ResumeOptions,
  RunningSubagent,
  StampedEvent,
  TurnOptions,
  UnknownCall,
} from './options/index.ts';
import { withFold } from './own-fold.ts';
import { createRouter } from './routing/index.ts';
import { identify, modelName, settingsOf } from './settings/index.ts';
import { type SideModel, sampleWith, sideRequest } from './side-request.ts';
import { teamOf } from './subagents/index.ts';
import { SystemText, systemKey } from './system-text.ts';
import { once, pumped, type Turn } from './turn/index.ts';
import { type Beginning, TurnRunner } from './turn-runner.ts';
import type { AgentContext } from './turn-settings.ts';
import { Meter, type Usage } from './usage/index.ts';

type Answers = Parameters<Agent['answer']>[0];

/**
 * Creates an agent for one conversation. The AI SDK runs the tool loop; the fold supplies the tools.
 * Throws `invalid-option`, `unknown-role` and the errors of `createFold`.
 */
export function createAgent(options: AgentOptions | AgentToolOptions): Agent {
  return new FoldAgent(withFold(options));
}

/** Creates an agent that works for a parent agent. */
export function createChild(options: AgentOptions, lineage: Lineage): Agent {
  checkAgentOptions(options);
  return new FoldAgent(options, lineage);
}

class FoldAgent implements Agent {
  readonly fold: AgentFold;
  readonly #options: AgentOptions;
  readonly #context: AgentContext;
  readonly #price: TokenPrice | undefined;
  readonly #meter: Meter;
  readonly #accounts = new Accounts();
  readonly #elicitations: Elicitations;
  readonly #pending: PendingApprovals;
  #generation: Generation | undefined;
  readonly #remarks: readonly string[];
  #messages: ModelMessage[];
  #toolsOn = true;
  #isWarned = false;
  #isRunning = false;

  constructor(options: AgentOptions, lineage?: Lineage) {
    const { fold, approvals = {}, categories, hooks, instructions, model } = options;
    const bridges: ReadonlySet<string> = new Set(fold.bridgeNames(model));
    const policy = new ApprovalPolicy(approvals, fold.layer);
    const identity = identify(model);
    this.#options = options;
    this.fold = fold;
    this.#price = settingsOf(options.models ?? {}, identity).price;
    checkMoneyBudget(options, modelName(identity), this.#price);
    this.#meter = new Meter(identity, this.#price);
    this.#elicitations = new Elicitations(options.elicitation);
    const shared = { user: lineage?.user ?? this, elicitations: this.#elicitations };
    // A child's budget covers its own requests too. The budget of a top-level agent covers only its subagents.
    const { subagents: ledger } = this.#accounts;
    const spent = () => this.#accounts.spending[lineage ? 'total' : 'subagents'];
    this.#context = {
      options,
      lineage,
      router: createRouter(categories),
      policy,
      system: new SystemText(instructions, hooks?.transformSystemPrompt),
      team: teamOf(options, { ...shared, begin: createChild, lineage, policy, ledger, spent }),
      model: identity,
      isReal: (name) => !bridges.has(name),
      areToolsOn: () => this.#toolsOn,
      metered: (turn) => this.#metered(turn),
      begin: (tokens) => this.#meter.begin(tokens),
      ...shared,
      sample: (request, turn) =>
        sampleWith(
          this.#side((usage) => this.#count(usage, turn)),
          request,
        ),
    };
    const { messages, remarks } = repaired(options.messages ?? []);
    this.#messages = messages;
    this.#remarks = remarks;
    this.#pending = new PendingApprovals(pendingIn(this.#messages));
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  get pending(): readonly PendingApproval[] {
    return this.#pending.open;
  }

  get spending(): AgentSpending {
    return this.#accounts.spending;
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
    requireText(text);
    this.#checkIdle();
    const userMessage: UserModelMessage = { role: 'user', content: text };
    const begin = () => {
      const { messages, failures } = closed(this.#messages, NOT_APPROVED);
      this.#pending.replace([]);
      return { messages: [...messages, userMessage], failures };
    };
    return once(() => this.#turn(begin, options));
  }

  answer(answers: Answers, options: TurnOptions = {}): AsyncIterable<AgentEvent> {
    this.#checkIdle();
    this.#pending.check(answers);
    const begin = () => {
      this.#pending.take(answers);
      return { messages: this.#messages, failures: [] };
    };
    return once(() =>
      this.#turn(begin, options, (turn, signal) => this.#applyAnswers(turn, signal)),
    );
  }

  resume(options: TurnOptions = {}): AsyncIterable<AgentEvent> {
    this.#checkIdle();
    const begin = () => resumable(this.#messages, this.#context.policy.canAsk ? [] : this.pending);
    begin();
    const first: Opening = (turn, signal) => {
      this.#pending.replace([]);
      return this.#decide(turn, pendingIn(turn.reached), signal);
    };
    return once(() => this.#turn(begin, options, first));
  }

  /** Continues with the user's answers. Asks again about each tool that changed after the first question. */
  async *#applyAnswers(
    turn: Turn,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, EndReason | undefined> {
    const pending = this.#pending;
    if (pending.open.length === 0) {
      const { layer } = this.#options.fold;
      const changed = await changedTools(turn.reached, pending.approved, layer, signal);
      this.#messages = rebound(turn.reached, changed);
      turn.begin(this.#messages);
      if (changed.size > 0) pending.reopen(changed, CHANGED);
    }
    if (pending.open.length > 0) {
      yield* pending.open;
      return 'approval';
    }
    for (const [name, answer] of pending.answers) this.#context.policy.remember(name, answer);
    turn.begin([...this.#messages, ...pending.messages]);
    pending.replace([]);
    return undefined;
  }

  async ask(text: string, { signal }: TurnOptions = {}): Promise<string> {
    requireText(text);
    const instructions = await this.#context.system.text(systemKey(this.#options.role));
    const messages: ModelMessage[] = [...textsOf(this.#messages), { role: 'user', content: text }];
    const side = this.#side((usage) => this.#accounts.take(usage));
    return (await sideRequest(side, { instructions, messages, signal })).text;
  }

  answerElicitation(elicitationId: string, answer: ElicitationAnswer): void {
    this.#elicitations.answer(elicitationId, answer);
  }

  get elicitations(): readonly Elicitation[] {
    return this.#elicitations.open;
  }

  #side(onUsage: (usage: Usage) => void): SideModel {
    const { model, settings } = this.#options;
    return { model, identity: this.#context.model, price: this.#price, settings, onUsage };
  }

  /** The model, wrapped so that each usage is added to the ledger and emitted in the turn. */
  #metered(turn: Turn): ReturnType<Meter['watch']> {
    const onUsage = (usage: Usage) => this.#count(usage, turn);
    const onLength = this.#context.lineage?.wrote;
    return this.#meter.watch(this.#options.model, { onUsage, onLength });
  }

  #count(usage: Usage, { events }: Turn): void {
    this.#accounts.take(usage);
    events.push(usage);
  }

  #checkIdle(): void {
    if (!this.#isRunning) return;
    throw new ToolfoldError(
      'invalid-option',
      'A turn of this agent is still running.',
      'Wait for its `end` event, or cancel it with its abort signal.',
    );
  }

  /** `begin` returns the first messages, or throws if no turn can start. `first` runs before a request. */
  async *#turn(
    begin: () => Closed,
    options: TurnOptions,
    first?: Opening,
  ): AsyncGenerator<AgentEvent> {
    this.#checkIdle();
    const stopped = new AbortController();
    const given = options.signal ? [options.signal] : [];
    const signal = AbortSignal.any([stopped.signal, ...given]);
    const { messages, failures } = begin();
    const turn = new Turn(messages, signal);
    this.#isRunning = true;
    this.#generation = undefined;
    let opening = first;
    try {
      yield* failures.filter(({ name }) => this.#context.isReal(name));
      yield* this.#warnings();
      for (;;) {
        const step = opening ? opening(turn, signal) : this.#generate(turn, signal);
        opening = undefined;
        const reason = yield* step;
        if (reason === undefined) continue;
        if (reason === 'cancelled') yield* this.#breakOff(turn, true);
        this.#isRunning = false;
        yield { type: 'end', reason, text: turn.text };
        return;
      }
    } catch (error) {
      const isCancelled = signal.aborted;
      stopped.abort();
      yield* this.#breakOff(turn, isCancelled);
      this.#isRunning = false;
      // The model called a tool although the request forbade tool calls.
      const isForbiddenCall = ToolChoiceViolationError.isInstance(error);
      const reason = isCancelled ? 'cancelled' : isForbiddenCall ? 'rounds' : 'error';
      const why = reason === 'error' ? { error: turnError(error, this.#context.model) } : {};
      yield { type: 'end', reason, text: turn.text, ...why };
    } finally {
      // The reader left the loop early: the turn must not continue in the background.
      if (this.#isRunning) {
        stopped.abort();
        for await (const _ of this.#breakOff(turn, true));
        this.#isRunning = false;
      }
    }
  }

  *#warnings(): Iterable<AgentEvent> {
    if (this.#isWarned) return;
    for (const text of this.#remarks) yield { type: 'warning', text };
    yield* warningsOf(this.#context);
    this.#isWarned = true;
  }

  /** Ends a turn that was cancelled or failed: waits for its running tools and keeps its messages. */
  async *#breakOff(turn: Turn, isCancelled: boolean): AsyncGenerator<AgentEvent> {
    const { running, events } = turn;
    const generation = this.#generation;
    const read: AgentEvent[] = [];
    const settled = (all: readonly unknown[]) => within(TOOL_GRACE, Promise.allSettled(all));
    const runs = (isOfTeam: boolean) =>
      [...running].flatMap(([run, name]) => ((name === SUBAGENTS) === isOfTeam ? [run] : []));
    // The team waits for its children, and the children wait for their tools.
    await Promise.all([
      this.#context.team?.idle(),
      settled([generation?.drain((event) => read.push(event)), ...runs(false)]),
    ]);
    // Hooks may still process the report of the subagents.
    await settled(runs(true));
    for (const name of new Set(running.values())) {
      const text = `The tool ${name} is still running. It did not stop after the cancellation.`;
      events.push({ type: 'warning', text });
    }
    const unpaid = this.#meter.interruptedUsage(!isCancelled);
    if (unpaid) this.#count(unpaid, turn);
    this.#messages = await turn.messages();
    this.#pending.keep(pendingIn(this.#messages));
    yield* read;
    yield* generation?.rest() ?? events.rest();
  }

  /** Runs one generation of the SDK. Returns why the turn ended, or undefined if it continues. */
  async *#generate(
    turn: Turn,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, EndReason | undefined> {
    const { fields, limit } = await raceAbort(turnSettings(this.#context, turn), signal);
    const start = startOf(this.#context, turn.reached);
    if (start) yield start;
    const agent = new ToolLoopAgent<never, ToolSet>(fields as never);
    const { messages: sent, failures } = withRunnable(turn.reached, turn.tools);
    turn.begin(sent);
    yield* failures;
    const result = await agent.stream({
      messages: sent,
      abortSignal: signal,
      onToolExecutionStart: ({ toolCall }) => turn.enter(toolCall),
      onToolExecutionEnd: ({ toolOutput }) => turn.leave(toolOutput),
    });
    const streamEvents = new StreamEvents(this.#context.isReal, openCalls(sent));
    const generation = new Generation(result.stream, { turn, streamEvents });
    this.#generation = generation;
    yield* generation.read();
    if (generation.failure) throw generation.failure.error;
    if (generation.isAborted) return 'cancelled';
    const { asked } = generation;
    const reached = [...sent, ...(await result.responseMessages)];
    const cutOff = closed(reached, CUT_OFF, new Set(asked.map(({ id }) => id)));
    this.#messages = cutOff.messages;
    turn.begin(this.#messages);
    for (const failure of cutOff.failures) yield* generation.fail(failure);
    if (asked.length > 0) return yield* this.#decide(turn, asked, signal);
    const reason = endReasonOf(await result.finishReason, await result.rawFinishReason);
    if (reason === 'error') throw new Error('The provider ended the answer with an error.');
    // The loop's own step limit stopped it, for example after many loads and searches.
    const isSpent = limit !== undefined && turn.rounds >= limit;
    if (reason === 'rounds' && !isSpent)
      yield { type: 'rounds', limit: this.#toolsOn ? (limit ?? 0) : 0 };
    return reason === 'done' && isSpent ? 'rounds' : reason;
  }

  /** Asks the user if the app can ask. Otherwise ends the turn with `approval`. */
  async *#decide(
    turn: Turn,
    asked: readonly PendingApproval[],
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, EndReason | undefined> {
    const { policy } = this.#context;
    if (asked.length === 0) return undefined;
    if (!policy.canAsk) {
      this.#pending.replace([...asked]);
      return 'approval';
    }
    const { layer } = this.#options.fold;
    const { reached, answers } = yield* askUser(asked, turn.reached, { policy, layer, signal });
    this.#messages = [...reached, ...answered(answers)];
    turn.begin(this.#messages);
    return undefined;
  }
}
