import type { ModelMessage, UserModelMessage } from 'ai';
import { errorMessage, ToolfoldError } from '../errors.ts';
import type { ElicitationAnswer } from '../tools/tool/index.ts';
import { checkAgentOptions, requireId, requireText } from './agent-check.ts';
import { ApprovalPolicy } from './approvals/index.ts';
import { closed, NOT_APPROVED, resumable, textsOf } from './conversation/index.ts';
import { Elicitations } from './elicitations/index.ts';
import type { Elicitation, PendingApproval } from './events/index.ts';
import type { UnknownChoice } from './journal/index.ts';
import type {
  Agent,
  AgentFold,
  AgentOptions,
  AgentSettings,
  AgentSpending,
  AgentToolOptions,
  Lineage,
  QuickAnswer,
  ResumeOptions,
  RunningSubagent,
  SendOptions,
  StampedEvent,
  TurnOptions,
  UnknownCall,
} from './options/index.ts';
import { withFold } from './own-fold.ts';
import { RequestLog } from './requests/index.ts';
import {
  type AgentContext,
  AgentState,
  applyAnswers,
  COMPACTED,
  closeLost,
  compact,
  configured,
  decide,
  sideRequest,
  systemKey,
  type TurnPlan,
  TurnRunner,
  withSettings,
} from './runner/index.ts';
import { type Fixed, isRepeatable, type SetUp, setUp } from './set-up.ts';
import { unknownCalls } from './subagents/index.ts';
import { once, pumped } from './turn/index.ts';
import type { Usage } from './usage/index.ts';

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
  readonly #state: AgentState;
  readonly #elicitations: Elicitations;
  readonly #fixed: Fixed;
  #options: AgentOptions;
  #setUp: SetUp;
  #choices: ReadonlyMap<string, UnknownChoice> = new Map();
  #isWarned = false;
  #isRunning = false;

  constructor(given: AgentOptions, lineage?: Lineage) {
    const state = new AgentState(given, lineage?.remoteAnswers);
    const options = withSettings(given, state.journal.state.settings);
    const { approvals = {}, elicitation, fold } = options;
    const policy = new ApprovalPolicy(approvals, fold.layer);
    this.fold = fold;
    this.#options = options;
    this.#state = state;
    this.#elicitations = new Elicitations(elicitation);
    this.#fixed = {
      lineage,
      user: lineage?.user ?? this,
      state,
      policy,
      elicitations: this.#elicitations,
      requests: new RequestLog(state.journal.state.request),
      beginChild: createChild,
      choose: async (call) => this.#choices.get(call.id) ?? (await this.#options.onUnknown?.(call)),
    };
    this.#setUp = setUp(options, this.#fixed);
    state.grant(policy);
    const { isCompacted, epoch } = state.journal.state;
    if (isCompacted && !epoch) this.#fixed.requests.expect(COMPACTED);
  }

  get #context(): AgentContext {
    return this.#setUp.context;
  }

  configure(changes: AgentSettings): void {
    this.#checkIdle();
    const options = configured(this.#options, changes);
    checkAgentOptions(options);
    this.#setUp = setUp(options, this.#fixed);
    this.#options = options;
  }

  get messages(): readonly ModelMessage[] {
    return this.#state.messages;
  }

  get pending(): readonly PendingApproval[] {
    return this.#state.pending.open;
  }

  async unknown(): Promise<readonly UnknownCall[]> {
    const { cut, journal } = this.#state;
    if (!cut || !journal.session) return [];
    const { state, session } = journal;
    return unknownCalls({ state, session }, async (name) => {
      // What a tool may do is known when its group has loaded.
      await this.fold.layer.isBound(name, '');
      return isRepeatable(this.#options, name);
    });
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

  send(text: string, { id, ...options }: SendOptions = {}): AsyncIterable<StampedEvent> {
    requireText(text);
    requireId(id);
    // What is known is not sent again, whether its turn still runs or not.
    const isKnown = id !== undefined && this.#state.journal.state.ids.has(id);
    if (isKnown) return once(async function* () {});
    this.#checkIdle();
    const userMessage: UserModelMessage = { role: 'user', content: text };
    const begin = (): ReturnType<TurnPlan['begin']> => {
      const { messages, failures } = closed(this.#state.messages, NOT_APPROVED);
      this.#state.pending.replace([]);
      return { messages: [...messages, userMessage], failures, said: [{ type: 'user', text }] };
    };
    return this.#turn({ how: 'send', id, begin }, options);
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
      this.#choices = new Map(Object.entries(unknown));
      return this.#resumable();
    };
    this.#resumable();
    const parts = { context: this.#context, state: this.#state };
    const first: TurnPlan['first'] = async function* (turn, signal) {
      parts.state.pending.replace([]);
      yield* closeLost(parts, turn);
      return yield* decide(parts, parts.state.askedIn(turn.reached), turn, signal);
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

  async ask(text: string, { signal }: TurnOptions = {}): Promise<QuickAnswer> {
    requireText(text);
    let used: Usage | undefined;
    const { messages: before, accounts } = this.#state;
    const instructions = await this.#context.system.text(systemKey(this.#options.role));
    const messages: ModelMessage[] = [...textsOf(before), { role: 'user', content: text }];
    const side = this.#setUp.side((usage) => {
      used = usage;
      accounts.take(usage);
    });
    try {
      const { text: answer } = await sideRequest(side, { instructions, messages, signal });
      return { text: answer, ...(used ? { usage: used } : {}) };
    } finally {
      if (used)
        await this.#state.note(used).catch((error) => {
          const text = `The usage of a question was not kept: ${errorMessage(error)}`;
          this.#options.onWarning?.(text);
        });
    }
  }

  answerElicitation(elicitationId: string, answer: ElicitationAnswer): void {
    this.#elicitations.answer(elicitationId, answer);
  }

  get elicitations(): readonly Elicitation[] {
    return this.#elicitations.open;
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
          ...this.#setUp,
          state: this.#state,
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
      this.#choices = new Map();
    }
    if (end) yield end;
  }
}
