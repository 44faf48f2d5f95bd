import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  ToolLoopAgent,
  type ToolSet,
  type UserModelMessage,
} from 'ai';
import { ToolfoldError } from '../errors.ts';
import { bridgeKinds } from '../tools/bridges.ts';
import { addressOf } from './address.ts';
import type { Agent, AgentOptions, PendingApproval, TurnOptions } from './agent-options.ts';
import { ApprovalPolicy } from './approval-policy.ts';
import type { AgentEvent, EndReason } from './events.ts';
import { narrowTo, preloadBy, textOf } from './narrowing.ts';
import { unmatchedRoles } from './roles.ts';
import { keepsPrefixWithoutTools, ROUNDS_SPENT, roundsFor, roundsIn, TOOLS_OFF } from './rounds.ts';
import { createRouter, type Router } from './routing.ts';
import { eventsOf } from './stream-events.ts';
import { SystemText } from './system-text.ts';

/** Steps of one turn at most, whatever they do: loading and searching are no rounds. */
const STEPS_PER_ROUND = 4;

type Answers = Parameters<Agent['answer']>[0];

/** An agent over one conversation: the loop is the AI SDK's, tools are the fold's. */
export function createAgent(options: AgentOptions): Agent {
  return new FoldAgent(options);
}

class FoldAgent implements Agent {
  readonly #options: AgentOptions;
  readonly #router: Router;
  readonly #policy: ApprovalPolicy;
  readonly #system: SystemText;
  readonly #model: { provider: string; modelId: string };
  readonly #bridges: ReadonlySet<string>;
  #messages: ModelMessage[];
  #pending: PendingApproval[] = [];
  #toolsOn = true;
  #isWarned = false;

  constructor(options: AgentOptions) {
    this.#options = options;
    const { fold, approvals = {}, categories, hooks, instructions } = options;
    this.#router = createRouter(categories);
    this.#policy = new ApprovalPolicy(approvals, (name) => fold.layer.isKnownReadOnly(name));
    this.#system = new SystemText(instructions, hooks?.transformSystemPrompt);
    this.#model = identify(options.model);
    this.#bridges = new Set([...bridgeKinds, ...fold.bridgeNames(options.model)]);
    this.#messages = [...(options.messages ?? [])];
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  get pending(): readonly PendingApproval[] {
    return this.#pending;
  }

  setTools(on: boolean): void {
    this.#toolsOn = on;
  }

  send(text: string, options: TurnOptions = {}): AsyncIterable<AgentEvent> {
    const said: UserModelMessage = { role: 'user', content: text };
    const refused = refusedBy(this.#pending);
    this.#pending = [];
    return this.#turn([...this.#messages, ...refused, said], options);
  }

  answer(answers: Answers, options: TurnOptions = {}): AsyncIterable<AgentEvent> {
    const unknown = Object.keys(answers).find(
      (id) => !this.#pending.some(({ approvalId }) => approvalId === id),
    );
    if (unknown !== undefined) {
      throw new ToolfoldError(
        'invalid-option',
        `No approval "${unknown}" is pending.`,
        'Use the ids of `agent.pending`.',
      );
    }
    const open = this.#pending.filter(({ approvalId }) => !Object.hasOwn(answers, approvalId));
    const messages = [...this.#messages, ...this.#answered(answers)];
    this.#pending = open;
    if (open.length === 0) return this.#turn(messages, options);
    this.#messages = messages;
    return this.#waiting(open);
  }

  async ask(text: string, { signal }: TurnOptions = {}): Promise<string> {
    const history = this.#messages.flatMap((message): ModelMessage[] => {
      const said = message.role === 'user' || message.role === 'assistant' ? textOf(message) : '';
      return said === '' ? [] : [{ role: message.role as 'user' | 'assistant', content: said }];
    });
    const result = await generateText({
      ...this.#options.settings,
      model: this.#options.model,
      ...(this.#options.instructions ? { instructions: this.#options.instructions } : {}),
      messages: [...history, { role: 'user', content: text }],
      ...(signal ? { abortSignal: signal } : {}),
    });
    return result.text;
  }

  async *#waiting(open: readonly PendingApproval[]): AsyncIterable<AgentEvent> {
    yield* open;
    yield { type: 'end', reason: 'approval', text: '' };
  }

  /** The answers as the SDK keeps them. */
  #answered(answers: Answers): ModelMessage[] {
    const content = Object.entries(answers).map(([approvalId, { approved, reason }]) => ({
      type: 'tool-approval-response' as const,
      approvalId,
      approved,
      ...(reason === undefined ? {} : { reason }),
    }));
    return content.length > 0 ? [{ role: 'tool', content }] : [];
  }

  async *#turn(messages: ModelMessage[], { signal }: TurnOptions): AsyncIterable<AgentEvent> {
    const turn: Turn = { text: '', reached: messages, events: [], rounds: 0 };
    try {
      yield* this.#warnings();
      for (;;) {
        const ended = yield* this.#generate(turn, signal);
        if (ended !== undefined) {
          yield { type: 'end', reason: ended, text: turn.text };
          return;
        }
      }
    } catch (error) {
      this.#messages = turn.reached;
      const reason = signal?.aborted ? 'cancelled' : 'error';
      yield { type: 'end', reason, text: turn.text, ...(signal?.aborted ? {} : { error }) };
    }
  }

  /** One generation; how the turn ended with it, or undefined where it goes on. */
  async *#generate(
    turn: Turn,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<AgentEvent, EndReason | undefined> {
    const { fields, limit } = await this.#fields(turn);
    const start = this.#start(turn.reached);
    if (start) yield start;
    const agent = new ToolLoopAgent<never, ToolSet>(fields as never);
    const sent = turn.reached;
    const result = await agent.stream({
      messages: sent,
      ...(signal ? { abortSignal: signal } : {}),
    });
    const asked: PendingApproval[] = [];
    let failure: { error: unknown } | undefined;
    let isAborted = false;
    for await (const part of result.stream) {
      yield* turn.events.splice(0);
      if (part.type === 'error') failure = { error: part.error };
      if (part.type === 'abort') isAborted = true;
      for (const event of eventsOf(part, (name) => this.#isReal(name))) {
        if (event.type === 'text') turn.text += event.text;
        if (event.type === 'approval') asked.push(event);
        yield event;
      }
    }
    yield* turn.events.splice(0);
    if (failure) throw failure.error;
    if (isAborted) {
      this.#messages = turn.reached;
      return 'cancelled';
    }
    this.#messages = [...sent, ...(await result.responseMessages)];
    turn.reached = this.#messages;
    if (asked.length > 0) return yield* this.#decide(turn, asked);
    const finish = await result.finishReason;
    // Stopped in the middle: the loop has its own end, however much is loaded and searched.
    if (finish === 'tool-calls' || (limit !== undefined && turn.rounds >= limit)) return 'rounds';
    return finish === 'length' ? 'length' : 'done';
  }

  /** Asks the user where the app can; otherwise the turn ends here. */
  async *#decide(
    turn: Turn,
    asked: readonly PendingApproval[],
  ): AsyncGenerator<AgentEvent, EndReason | undefined> {
    const { ask } = this.#options.approvals ?? {};
    if (!ask) {
      this.#pending = [...asked];
      return 'approval';
    }
    const answers: Record<string, { approved: boolean; reason?: string }> = {};
    for (const { approvalId, id, name, arguments: given, reason } of asked) {
      // An earlier answer of this very round may have said "for the session".
      const isGranted = !this.#policy.asks(name) && reason === undefined;
      const answer = isGranted
        ? { approved: true }
        : await ask({ id, name, arguments: given, ...(reason === undefined ? {} : { reason }) });
      this.#policy.take(name, answer);
      const why = answer.reason === undefined ? {} : { reason: answer.reason };
      answers[approvalId] = { approved: answer.approved, ...why };
      yield { type: 'decision', id, name, approved: answer.approved, ...why };
    }
    turn.reached = [...turn.reached, ...this.#answered(answers)];
    this.#messages = turn.reached;
    return undefined;
  }

  #isReal(name: string): boolean {
    return !this.#bridges.has(name);
  }

  /** What this generation runs with. */
  async #fields(turn: Turn) {
    const { fold, model, role, hooks, routing = 'preload', models = {}, settings } = this.#options;
    const own = models[this.#modelName()] ?? models[this.#model.modelId] ?? {};
    const only = routing === 'narrow' ? narrowTo(this.#router, turn.reached) : undefined;
    const isPlain = (only?.length === 0 || !this.#toolsOn) && !hasTools(turn.reached);
    const limit = roundsFor(this.#options, this.#model);
    const instructions = await this.#system.text(`${role ?? ''} ${only?.join(' ') ?? ''}`);
    const base = { ...settings, ...(instructions === undefined ? {} : { instructions }) };
    if (isPlain) return { fields: { ...base, model }, limit: undefined };
    const folded = fold.with(model, {
      ...(role === undefined ? {} : { role }),
      ...(own.contextWindow === undefined ? {} : { contextWindow: own.contextWindow }),
      ...(own.strategy === undefined ? {} : { strategy: own.strategy }),
      ...(only ? { only } : {}),
      ...(hooks ? { hooks } : {}),
      ...(routing === 'preload' ? { preload: preloadBy(this.#router) } : {}),
      notice: ({ isNew, rounds }) => {
        if (!this.#toolsOn) return isNew ? TOOLS_OFF : undefined;
        if (rounds < limit) return;
        if (turn.rounds < limit) turn.events.push({ type: 'rounds', limit });
        turn.rounds = rounds;
        return ROUNDS_SPENT;
      },
      onRequest: (event) => {
        turn.events.push({ type: 'request', ...event });
        if (event.preloaded) turn.events.push({ type: 'preload', tools: event.preloaded });
      },
    });
    const spent = (messages: readonly ModelMessage[]) =>
      !this.#toolsOn || roundsIn(messages, (name) => this.#isReal(name)) >= limit;
    return {
      limit,
      fields: {
        ...base,
        ...folded,
        stopWhen: isStepCount((limit + 2) * STEPS_PER_ROUND),
        toolApproval: (asked: ApprovalQuestion) => this.#approve(asked, spent(asked.messages)),
        prepareStep: ({ messages }: { messages: ModelMessage[] }) => {
          turn.reached = messages;
          const isLast = spent(messages) && keepsPrefixWithoutTools(this.#model);
          return isLast ? { toolChoice: 'none' as const } : {};
        },
      },
    };
  }

  /** Policy by the real tool's name, whatever the call travelled in. */
  async #approve({ toolCall, tools, messages }: ApprovalQuestion, isSpent: boolean) {
    const { toolName: name, toolCallId, input } = toolCall;
    if (!this.#isReal(name)) return undefined;
    if (isSpent) {
      const reason = this.#toolsOn ? 'No rounds of tools are left.' : 'Tools are switched off.';
      return { type: 'denied' as const, reason };
    }
    const { needsApproval } = tools?.[name] ?? {};
    const wantsIt =
      typeof needsApproval === 'function'
        ? await needsApproval(input, { toolCallId, messages, context: undefined as never })
        : needsApproval === true;
    if (wantsIt) return { type: 'user-approval' as const, reason: 'the app wants it asked' };
    return this.#policy.asks(name) ? ('user-approval' as const) : undefined;
  }

  #modelName(): string {
    return `${this.#model.provider.split('.')[0]}/${this.#model.modelId}`;
  }

  #start(messages: readonly ModelMessage[]): AgentEvent | undefined {
    if (messages.at(-1)?.role !== 'user') return;
    const { fold, model, role } = this.#options;
    const given = role === undefined ? {} : { role };
    const { strategy, reason } = fold.explain(model, given);
    return { type: 'start', model: this.#modelName(), ...given, strategy, reason };
  }

  /** Once: what a role asks for and does not get. */
  *#warnings(): Iterable<AgentEvent> {
    const { fold, model, role, roles = {} } = this.#options;
    const settings = role === undefined ? undefined : roles[role];
    if (this.#isWarned || role === undefined || !settings) return;
    this.#isWarned = true;
    const tools = fold.explain(model).tools.map(({ name, group }) => addressOf(name, group));
    for (const { matchesNothing } of unmatchedRoles({ [role]: settings }, tools)) {
      if (!matchesNothing) continue;
      const text = `The role "${role}" asks for tools, and none of those there are matches.`;
      yield { type: 'warning', text };
    }
  }
}

interface Turn {
  text: string;
  /** The messages as far as the turn has come. */
  reached: ModelMessage[];
  /** Told between parts of the stream. */
  readonly events: AgentEvent[];
  rounds: number;
}

interface ApprovalQuestion {
  readonly toolCall: { toolName: string; toolCallId: string; input: unknown };
  readonly tools: ToolSet | undefined;
  readonly messages: ModelMessage[];
}

/** Who goes on without an answer has refused: a call must not stay without a result. */
function refusedBy(pending: readonly PendingApproval[]): ModelMessage[] {
  const reason = 'The user went on without approving it.';
  const content = pending.map(({ id, name }) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: name,
    output: { type: 'execution-denied' as const, reason },
  }));
  return content.length > 0 ? [{ role: 'tool', content }] : [];
}

function hasTools(messages: readonly ModelMessage[]): boolean {
  return messages.some(
    ({ role, content }) =>
      role === 'tool' ||
      (role === 'assistant' &&
        typeof content !== 'string' &&
        content.some(({ type }) => type === 'tool-call' || type === 'custom')),
  );
}

function identify(model: LanguageModel): { provider: string; modelId: string } {
  if (typeof model !== 'string') return model;
  const slash = model.indexOf('/');
  return { provider: model.slice(0, Math.max(0, slash)), modelId: model.slice(slash + 1) };
}
