import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { ElicitationAnswer } from '@toolfold/core/internal/tool';
import { fixedOptions, pick } from '@toolfold/core/internal/values';
import type { ModelMessage, UserContent, UserModelMessage } from 'ai';
import { COMPACTED, type UnknownChoice, type Write } from '../entries/index.ts';
import type { Elicitation, PendingApproval } from '../events/index.ts';
import { eventsOfTurn, Log, RequestLog, type Usage } from '../log/index.ts';
import {
  type AgentContext,
  applyAnswers,
  closedMessages,
  closeLost,
  closings,
  compact,
  decide,
  decideUnknown,
  isAnswered,
  runTurn,
  sideRequest,
  systemKey,
  type TurnPlan,
} from '../loop/index.ts';
import {
  type Agent,
  type AgentFold,
  type AgentOptions,
  type AgentSettings,
  type AgentSpending,
  type AgentToolOptions,
  ApprovalPolicy,
  type AskOptions,
  checkAnswers,
  configured,
  Elicitations,
  type Lineage,
  type QuickAnswer,
  type Remote,
  RemoteAnswers,
  type ResumeOptions,
  type RunningSubagent,
  type SendOptions,
  type StampedEvent,
  SteeringQueue,
  settingsKept,
  type TurnOptions,
  type UnknownCall,
} from '../options/index.ts';
import { checkResumable, repaired, textsOf } from '../state/index.ts';
import { unknownCalls, type WorkerOptions, workWith } from '../subagents/index.ts';
import { fixedSubagents, type Work } from '../tasks/index.ts';
import { checkAgentOptions, checkWorkerOptions, requireId, requireWhen } from './agent-check.ts';
import { withFold } from './own-fold.ts';
import { contextFor, isRepeatable } from './set-up.ts';
import { requireText, userContent } from './user-content.ts';

type ApprovalAnswers = Parameters<Agent['answer']>[0];

/**
 * Creates an agent for one conversation. The AI SDK runs the tool loop; the fold supplies the tools.
 * Throws `invalid-option`, `unknown-role` and the errors of `createFold`.
 */
export function createAgent(options: AgentOptions | AgentToolOptions): Agent {
  return new FoldAgent(withFold(options));
}

/**
 * Creates the function that runs tasks for an engine. It can run in another process, with its own
 * servers and keys. Throws `invalid-option`.
 */
export function createWorker(given: WorkerOptions): Work {
  checkWorkerOptions(given);
  const { subagents, inherited = {} } = given;
  const options = {
    ...given,
    subagents: { ...subagents, options: fixedSubagents(subagents.options) },
    inherited: fixedOptions(inherited),
  };
  return workWith(createChild, options);
}

/** Creates an agent that works for a parent agent. */
function createChild(options: AgentOptions, lineage: Lineage, log: Log): Agent {
  checkAgentOptions(options);
  return new FoldAgent(options, lineage, log);
}

class FoldAgent implements Agent {
  readonly fold: AgentFold;
  readonly #log: Log;
  readonly #given: AgentOptions;
  /** What was changed since the agent was created. */
  #settings: AgentSettings;
  #context: AgentContext;
  #choices: ReadonlyMap<string, UnknownChoice> = new Map();
  /** Warnings that the first turn gives. */
  #warnings: readonly string[] | undefined;
  #isRunning = false;

  constructor(given: AgentOptions, lineage?: Lineage, kept?: Log) {
    const { messages, remarks } = repaired(given.messages ?? []);
    const log = kept ?? new Log(given.session, messages);
    this.#given = given;
    this.#settings = settingsKept(given, log.state.settings);
    const options = configured(given, this.#settings);
    const { approvals = {}, elicitation, fold } = options;
    const policy = new ApprovalPolicy(approvals, fold.layer);
    this.fold = fold;
    this.#log = log;
    log.hide = fold.hide;
    this.#warnings = remarks;
    const remote: Remote = {
      answer: lineage?.remoteAnswers ?? new RemoteAnswers(),
      form: new RemoteAnswers(),
      unknown: new RemoteAnswers(),
    };
    const requests = new RequestLog();
    this.#context = contextFor(options, {
      lineage,
      user: lineage?.user ?? this,
      ...{ log, remote, policy, requests },
      switches: { areToolsOn: log.state.areToolsOn },
      steering: new SteeringQueue(),
      elicitations: new Elicitations(elicitation, remote.form),
      beginChild: createChild,
      choose: async (call) =>
        this.#choices.get(call.id) ??
        (await decideUnknown(call, remote.unknown, this.#context.options.onUnknown)),
    });
    const { isCompacted, epoch, granted } = log.state;
    // Approvals of earlier processes hold.
    for (const { name, fingerprint, askKey } of granted) policy.grant(name, fingerprint, askKey);
    if (isCompacted && !epoch) requests.expect(COMPACTED);
  }

  configure(changes: AgentSettings): void {
    this.#checkIdle();
    const settings = {
      ...this.#settings,
      ...pick(changes, 'role', 'model', 'address', 'strategy', 'routing'),
    };
    const options = configured(this.#given, settings);
    checkAgentOptions(options);
    this.#settings = settings;
    this.#context = contextFor(options, this.#context);
  }

  get messages(): readonly ModelMessage[] {
    const { state } = this.#log;
    if (this.#isRunning || !state.isCut) return state.messages;
    // What a turn that was cut short has left is shown as the next turn will send it.
    const waiting = new Set(state.askedCalls);
    for (const id of state.runs.keys()) waiting.delete(id);
    return closedMessages(state, { isReal: this.#context.isReal, waiting });
  }

  get pending(): readonly PendingApproval[] {
    return this.#log.state.pending;
  }

  async unknown(): Promise<readonly UnknownCall[]> {
    const { session, state } = this.#log;
    if (!session || this.#isRunning) return [];
    return unknownCalls({ state, session }, async (name) => {
      // What a tool may do is known when its group has loaded.
      await this.fold.layer.isBound(name, '');
      return isRepeatable(this.#context.options, name);
    });
  }

  get canResume(): boolean {
    try {
      this.#checkResumable(this.#context.policy.canAsk ? [] : this.pending);
      return true;
    } catch {
      return false;
    }
  }

  get spending(): AgentSpending {
    return this.#log.state.accounts.spending;
  }

  get subagents(): readonly RunningSubagent[] {
    return this.#context.team?.running ?? [];
  }

  async cancelSubagent(child: string): Promise<boolean> {
    return (await this.#context.team?.cancel(child)) ?? false;
  }

  setTools(on: boolean): void {
    this.#context.switches.areToolsOn = on;
  }

  send(
    given: UserContent,
    { id, when, ...options }: SendOptions = {},
  ): AsyncIterable<StampedEvent> {
    requireId(id);
    requireWhen(when);
    // What is known is not sent again, whether its turn still runs or not.
    const isKnown = id !== undefined && this.#log.state.ids.has(id);
    if (isKnown) return eventsOfTurn({ log: this.#log, run: async () => {}, stop: () => {} });
    const content = userContent(given, this.#context);
    const message: UserModelMessage = { role: 'user', content };
    if (when && this.#isRunning) {
      const { signal } = options;
      const taken = this.#context.steering.add({ id, message, when }, signal);
      return this.#orSend(taken, given, { id, when, signal });
    }
    const named = id === undefined ? {} : { id };
    const begin = () => [
      ...this.#closings(),
      ...this.#unanswered(),
      ['user', { message, ...named }] as const,
    ];
    return this.#turn({ how: 'send', id, begin }, options);
  }

  /** Sends a message for the turn that runs, if that has ended without it. */
  async *#orSend(
    taken: Promise<boolean>,
    content: UserContent,
    options: SendOptions,
  ): AsyncGenerator<StampedEvent> {
    if (!(await taken) && !options.signal?.aborted) yield* this.send(content, options);
  }

  answer(answers: ApprovalAnswers, options: TurnOptions = {}): AsyncIterable<StampedEvent> {
    const begin = () => {
      checkAnswers(this.pending, answers);
      return [];
    };
    const first: TurnPlan['first'] = ({ signal }) => applyAnswers(this.#context, answers, signal);
    return this.#turn({ how: 'answer', begin, first }, options);
  }

  resume({ unknown = {}, ...options }: ResumeOptions = {}): AsyncIterable<StampedEvent> {
    const begin: TurnPlan['begin'] = (isCancelled) => {
      this.#checkResumable(isCancelled ? [] : this.#unasked());
      return [];
    };
    const first: TurnPlan['first'] = async (turn) => {
      this.#choices = new Map(Object.entries(unknown));
      await closeLost(this.#context, turn);
      return decide(this.#context, [], turn.signal);
    };
    return this.#turn({ how: 'resume', begin, first }, options);
  }

  compact(options: TurnOptions = {}): AsyncIterable<StampedEvent> {
    const first: TurnPlan['first'] = async (turn) => {
      await compact(this.#context, turn, turn.signal, 'user');
      return 'done';
    };
    // The user may still be asked about calls.
    const begin = () => this.#closings(this.#log.state.askedCalls);
    return this.#turn({ how: 'compact', begin, first }, options);
  }

  async ask(text: string, { signal, conversation = true }: AskOptions = {}): Promise<QuickAnswer> {
    requireText(text);
    let used: Usage | undefined;
    let answered: { readonly answer: string } | undefined;
    const before = conversation ? textsOf(this.messages) : [];
    const instructions = await this.#context.system(systemKey(this.#context.options.role));
    const messages: ModelMessage[] = [...before, { role: 'user', content: text }];
    const onUsage = (usage: Usage) => {
      used = usage;
    };
    try {
      const request = { instructions, messages, signal, onUsage };
      const { text: answer } = await sideRequest(this.#context, request);
      answered = { answer };
      return { text: answer, ...(used ? { usage: used } : {}) };
    } finally {
      if (used) {
        const { type: _, ...usage } = used;
        const body = { question: text, ...answered, conversation, usage };
        await this.#log.note(['quick', body]).catch((error) => {
          const warning = `A question and its usage were not kept: ${errorMessage(error)}`;
          this.#context.options.onWarning?.(warning);
        });
      }
    }
  }

  answerElicitation(elicitationId: string, answer: ElicitationAnswer): void {
    this.#context.elicitations.answer(elicitationId, answer);
  }

  get elicitations(): readonly Elicitation[] {
    return this.#context.elicitations.open;
  }

  /** The results of calls that a new turn does not run any more. */
  #closings(waiting: ReadonlySet<string> = new Set()): Write[] {
    return closings(this.#log.state, { isReal: this.#context.isReal, waiting });
  }

  /**
   * Stands in place of the answer to a message of the user that has none, because chat templates of local
   * models refuse two messages of the user in a row. What the app gave stays as it is.
   */
  #unanswered(): Write[] {
    const { turn, messages } = this.#log.state;
    return turn > 0 && messages.at(-1)?.role === 'user' ? [['interrupted', { text: '' }]] : [];
  }

  /** Throws `invalid-option` if there is nothing to resume, or if approvals are waiting. */
  #checkResumable(waiting: readonly PendingApproval[]): void {
    const { state } = this.#log;
    if (!state.isCut) checkResumable(state.messages, waiting);
  }

  /**
   * The approvals that nobody has answered and that the app cannot ask about. Before the session is held, its inbox is
   * not known, and none is.
   */
  #unasked(): readonly PendingApproval[] {
    const { pending } = this;
    const { log, policy, steering } = this.#context;
    if (policy.canAsk || steering.isDue || (log.session && !log.isHeld)) return [];
    const isAny = pending.some(({ approvalId }) => isAnswered(this.#context, approvalId));
    return isAny ? [] : pending;
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
    const stopped = new AbortController();
    const stop = () => stopped.abort();
    // What cannot start is refused at once, and again when the events are read: it may have changed.
    this.#checkIdle();
    plan.begin(false);
    return eventsOfTurn({
      log: this.#log,
      stop,
      run: async () => {
        // Only one turn runs at a time.
        this.#checkIdle();
        this.#isRunning = true;
        const warnings = this.#warnings;
        this.#warnings = undefined;
        const either = AbortSignal.any([stopped.signal, ...(signal ? [signal] : [])]);
        try {
          await runTurn({ context: this.#context, plan, stop, signal: either, warnings });
        } finally {
          this.#isRunning = false;
          this.#context.steering.end();
          this.#choices = new Map();
        }
      },
    });
  }
}
