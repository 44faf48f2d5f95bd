import type { ModelMessage, UserModelMessage } from 'ai';
import type { TokenPrice } from '../config/index.ts';
import { ToolfoldError } from '../errors.ts';
import type { ElicitationAnswer } from '../tools/tool/index.ts';
import { checkAgentOptions, checkMoneyBudget, requireText } from './agent-check.ts';
import { AgentState } from './agent-state.ts';
import { ApprovalPolicy } from './approvals/index.ts';
import { compact, dueCompaction } from './compact.ts';
import { ContextUse } from './compaction/index.ts';
import {
  closed,
  NOT_APPROVED,
  openCalls,
  pendingIn,
  resumable,
  textsOf,
} from './conversation/index.ts';
import { applyAnswers, decide } from './decide.ts';
import { Elicitations } from './elicitations/index.ts';
import type { AgentEvent, Elicitation, PendingApproval } from './events/index.ts';
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
import { RequestLog } from './requests/index.ts';
import { createRouter } from './routing/index.ts';
import { identify, modelName, settingsOf } from './settings/index.ts';
import { type SideModel, sampleWith, sideRequest } from './side-request.ts';
import { SUBAGENTS } from './subagents/engine/index.ts';
import { teamOf } from './subagents/index.ts';
import { SystemText, systemKey } from './system-text.ts';
import { once, pumped, type Turn } from './turn/index.ts';
import { type TurnPlan, TurnRunner } from './turn-runner.ts';
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
  readonly #state: AgentState;
  readonly #price: TokenPrice | undefined;
  readonly #meter: Meter;
  readonly #elicitations: Elicitations;
  #choices: NonNullable<ResumeOptions['unknown']> = {};
  #isWarned = false;
  #isRunning = false;

  constructor(options: AgentOptions, lineage?: Lineage) {
    const { fold, approvals = {}, categories, hooks, instructions, model } = options;
    const bridges: ReadonlySet<string> = new Set(fold.bridgeNames(model));
    const policy = new ApprovalPolicy(approvals, fold.layer);
    const identity = identify(model);
    const state = new AgentState(options);
    const { journal } = state;
    this.#options = options;
    this.#state = state;
    this.fold = fold;
    this.#price = settingsOf(options.models ?? {}, identity).price;
    checkMoneyBudget(options, modelName(identity), this.#price);
    this.#meter = new Meter(identity, this.#price);
    this.#elicitations = new Elicitations(options.elicitation);
    const shared = { user: lineage?.user ?? this, elicitations: this.#elicitations };
    // A child's budget covers its own requests too. The budget of a top-level agent covers only its subagents.
    const ledger = { take: (event: AgentEvent) => state.accounts.subagents.take(event) };
    const spent = () => state.accounts.spending[lineage ? 'total' : 'subagents'];
    const ofTeam = { lineage, policy, ledger, spent };
    this.#context = {
      options,
      lineage,
      journal,
      calls: new CallLog(journal, {
        isRepeatable: (name) => isRepeatable(fold, name),
        choose: async ({ id, name, input }) =>
          this.#choices[id] ?? (await options.onUnknown?.({ id, name, arguments: input })),
      }),
      router: createRouter(categories),
      policy,
      system: new SystemText(instructions, hooks?.transformSystemPrompt, journal),
      team: teamOf(options, { ...shared, begin: createChild, journal, ...ofTeam }),
      model: identity,
      isReal: (name) => !bridges.has(name),
      areToolsOn: () => state.areToolsOn,
      metered: (turn) => this.#metered(turn),
      begin: (tokens) => this.#meter.begin(tokens),
      requests: new RequestLog(journal.state.sent),
      use: new ContextUse(),
      isFull: (messages) => dueCompaction(this.#context, messages) !== undefined,
      ...shared,
      sample: (request, turn) =>
        sampleWith(
          this.#side((usage) => this.#count(usage, turn)),
          request,
        ),
    };
    state.grant(policy);
  }

  get messages(): readonly ModelMessage[] {
    return this.#state.messages;
  }

  get pending(): readonly PendingApproval[] {
    return this.#state.pending.open;
  }

  async unknown(): Promise<readonly UnknownCall[]> {
    const { cut, journal } = this.#state;
    if (!cut) return [];
    const { runs } = journal.state;
    const begun = openCalls(journal.state.settled()).filter(({ id }) => runs.has(id));
    // What a tool may do is known when its group has loaded.
    await Promise.all(begun.map(({ name }) => this.fold.layer.isBound(name, '')));
    return begun.flatMap(({ id, name, input }) =>
      isRepeatable(this.fold, name) ? [] : [{ id, name, arguments: input }],
    );
  }

  get canResume(): boolean {
    try {
      return this.#state.cut?.answer !== undefined || this.#resumable().messages.length > 0;
    } catch {
      return false;
    }
  }

  get spending(): AgentSpending {
    return this.#state.accounts.spending;
  }

  get subagents(): readonly RunningSubagent[] {
    return this.#context.team?.running ?? [];
  }

  async cancelSubagent(child: string): Promise<boolean> {
    return (await this.#context.team?.cancel(child)) ?? false;
  }

  setTools(on: boolean): void {
    this.#state.areToolsOn = on;
  }

  send(text: string, options: TurnOptions = {}): AsyncIterable<StampedEvent> {
    requireText(text);
    this.#checkIdle();
    const userMessage: UserModelMessage = { role: 'user', content: text };
    const begin = (): ReturnType<TurnPlan['begin']> => {
      const { messages, failures } = closed(this.#state.messages, NOT_APPROVED);
      this.#state.pending.replace([]);
      return { messages: [...messages, userMessage], failures, said: [{ type: 'user', text }] };
    };
    return this.#turn({ how: 'send', begin }, options);
  }

  answer(answers: Answers, options: TurnOptions = {}): AsyncIterable<StampedEvent> {
    this.#checkIdle();
    this.#state.pending.check(answers);
    const begin = () => {
      const said = this.#state.pending.take(answers);
      return { messages: this.#state.messages, failures: [], said };
    };
    const first: TurnPlan['first'] = (turn, signal) =>
      applyAnswers({ context: this.#context, state: this.#state }, answers, turn, signal);
    return this.#turn({ how: 'answer', begin, first }, options);
  }

  resume({ unknown = {}, ...options }: ResumeOptions = {}): AsyncIterable<StampedEvent> {
    this.#checkIdle();
    const begin = () => {
      this.#choices = unknown;
      return this.#resumable();
    };
    this.#resumable();
    const first: TurnPlan['first'] = (turn, signal) => {
      this.#state.pending.replace([]);
      const parts = { context: this.#context, state: this.#state };
      return decide(parts, pendingIn(turn.reached), turn, signal);
    };
    return this.#turn({ how: 'resume', begin, first }, options);
  }

  compact(options: TurnOptions = {}): AsyncIterable<StampedEvent> {
    this.#checkIdle();
    const begin = () => ({ messages: this.#state.messages, failures: [] });
    const parts = { context: this.#context, state: this.#state };
    const first: TurnPlan['first'] = async function* (turn, signal) {
      yield* compact(parts, turn, signal, 'user');
      return 'done';
    };
    return this.#turn({ how: 'compact', begin, first }, options);
  }

  /** What a resumed turn begins with. Throws `invalid-option` if there is nothing to resume. */
  #resumable(): ReturnType<typeof resumable> {
    const { cut, messages } = this.#state;
    if (cut?.answer) return { messages: [...cut.messages], failures: [] };
    const open = this.#context.policy.canAsk ? [] : this.pending;
    return resumable(cut?.messages ?? messages, open);
  }

  async ask(text: string, { signal }: TurnOptions = {}): Promise<string> {
    requireText(text);
    const { messages: before, accounts } = this.#state;
    const instructions = await this.#context.system.text(systemKey(this.#options.role));
    const messages: ModelMessage[] = [...textsOf(before), { role: 'user', content: text }];
    const side = this.#side((usage) => accounts.take(usage));
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
    this.#state.accounts.take(usage);
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

  #turn(plan: TurnPlan, { signal }: TurnOptions): AsyncIterable<StampedEvent> {
    return once(() => {
      const runner = new TurnRunner(
        {
          context: this.#context,
          state: this.#state,
          meter: this.#meter,
          count: (usage, turn) => this.#count(usage, turn),
        },
        signal,
      );
      return pumped(this.#alone(runner, plan), () => runner.stop());
    });
  }

  /** Runs a turn while no other one of this agent runs. */
  async *#alone(runner: TurnRunner, plan: TurnPlan): AsyncGenerator<StampedEvent> {
    this.#checkIdle();
    this.#isRunning = true;
    let end: StampedEvent | undefined;
    try {
      for await (const event of runner.run(plan, !this.#isWarned)) {
        this.#isWarned = true;
        if (event.type === 'end') end = event;
        else yield event;
      }
    } finally {
      this.#isRunning = false;
      this.#choices = {};
    }
    if (end) yield end;
  }
}

/** Whether a call may be run again without asking: also a call of the team, whose children are resumed. */
function isRepeatable({ layer }: AgentFold, name: string): boolean {
  const { readOnlyHint, idempotentHint } = layer.hintsOf(name) ?? {};
  return name === SUBAGENTS || readOnlyHint === true || idempotentHint === true;
}
