import {
  generateText,
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
import { answered, refusedBy, textsOf } from './history.ts';
import { unmatchedRoles } from './roles.ts';
import { createRouter } from './routing.ts';
import { eventsOf } from './stream-events.ts';
import { SystemText } from './system-text.ts';
import {
  type AgentContext,
  modelName,
  ownSettings,
  type Turn,
  turnSettings,
} from './turn-settings.ts';

type Answers = Parameters<Agent['answer']>[0];

/** An agent over one conversation: the loop is the AI SDK's, tools are the fold's. */
export function createAgent(options: AgentOptions): Agent {
  return new FoldAgent(options);
}

class FoldAgent implements Agent {
  readonly #options: AgentOptions;
  readonly #context: AgentContext;
  #messages: ModelMessage[];
  #pending: PendingApproval[] = [];
  #toolsOn = true;
  #isWarned = false;

  constructor(options: AgentOptions) {
    const { fold, approvals = {}, categories, hooks, instructions, model } = options;
    const bridges = new Set<string>([...bridgeKinds, ...fold.bridgeNames(model)]);
    this.#options = options;
    this.#context = {
      options,
      router: createRouter(categories),
      policy: new ApprovalPolicy(approvals, (name) => fold.layer.isKnownReadOnly(name)),
      system: new SystemText(instructions, hooks?.transformSystemPrompt),
      model: identify(model),
      isReal: (name) => !bridges.has(name),
      areToolsOn: () => this.#toolsOn,
    };
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
    const messages = [...this.#messages, ...answered(answers)];
    this.#pending = open;
    if (open.length === 0) return this.#turn(messages, options);
    this.#messages = messages;
    return this.#waiting(open);
  }

  async ask(text: string, { signal }: TurnOptions = {}): Promise<string> {
    const result = await generateText({
      ...this.#options.settings,
      model: this.#options.model,
      ...(this.#options.instructions ? { instructions: this.#options.instructions } : {}),
      messages: [...textsOf(this.#messages), { role: 'user', content: text }],
      ...(signal ? { abortSignal: signal } : {}),
    });
    return result.text;
  }

  async *#waiting(open: readonly PendingApproval[]): AsyncIterable<AgentEvent> {
    yield* open;
    yield { type: 'end', reason: 'approval', text: '' };
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
    const { fields, limit } = await turnSettings(this.#context, turn);
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
      for (const event of eventsOf(part, this.#context.isReal)) {
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
      const isGranted = !this.#context.policy.asks(name) && reason === undefined;
      const answer = isGranted
        ? { approved: true }
        : await ask({ id, name, arguments: given, ...(reason === undefined ? {} : { reason }) });
      this.#context.policy.take(name, answer);
      const why = answer.reason === undefined ? {} : { reason: answer.reason };
      answers[approvalId] = { approved: answer.approved, ...why };
      yield { type: 'decision', id, name, approved: answer.approved, ...why };
    }
    turn.reached = [...turn.reached, ...answered(answers)];
    this.#messages = turn.reached;
    return undefined;
  }

  #start(messages: readonly ModelMessage[]): AgentEvent | undefined {
    if (messages.at(-1)?.role !== 'user') return;
    const { fold, model, role } = this.#options;
    const given = role === undefined ? {} : { role };
    const own = ownSettings(this.#options, this.#context.model);
    const { strategy, reason } = fold.explain(model, { ...given, ...own });
    return { type: 'start', model: modelName(this.#context.model), ...given, strategy, reason };
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

function identify(model: LanguageModel): { provider: string; modelId: string } {
  if (typeof model !== 'string') return model;
  const slash = model.indexOf('/');
  return { provider: model.slice(0, Math.max(0, slash)), modelId: model.slice(slash + 1) };
}
