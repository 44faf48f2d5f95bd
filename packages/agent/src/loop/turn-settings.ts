import type {
  AppApprovalQuestion,
  Ceiling,
  Notice,
  RequestEvent,
  WithOptions,
} from '@toolfold/ai-sdk';
import { withOwnIds } from '@toolfold/ai-sdk/internal/response';
import type { ToolHooks } from '@toolfold/core/internal/host';
import { pick, raceAbort } from '@toolfold/core/internal/values';
import type { ModelMessage, ToolSet } from 'ai';
import { recall } from '../compaction/index.ts';
import { RECALL, type Write } from '../entries/index.ts';
import type { AgentEvent, AgentHooks, Budget } from '../events/index.ts';
import { announce } from '../log/index.ts';
import { callHost } from '../options/index.ts';
import { preloadBy } from '../routing/index.ts';
import {
  hasTools,
  openCalls,
  TOOLS_ARE_OFF,
  TOOLS_OFF,
  TOOLS_ON,
  USER_WROTE,
} from '../state/index.ts';
import { SUBAGENTS } from '../tasks/index.ts';
import { dueCompaction } from './compact.ts';
import { type AgentContext, cacheOf, choiceOf, frozenOf, onlyOf, systemKey } from './context.ts';
import {
  adopted,
  BUDGET_SPENT,
  keepsPrefixWithoutTools,
  LOADS_IN_A_ROW,
  loadsInARow,
  NO_BUDGET,
  NO_ROUNDS,
  ROUNDS_SPENT,
  roundsIn,
} from './rounds.ts';
import { sampleWith, takingFiles } from './side-request.ts';
import type { Turn } from './turn.ts';

/** Limit of requests after the last round, for a model that keeps calling tools although none may be called. */
const LAST_STEPS = 3;

interface TurnSettings {
  /** For `ToolLoopAgent`. */
  readonly fields: object;
  /** Tool rounds; undefined if the generation has no tools. */
  readonly limit: number | undefined;
}

type StepMessages = { readonly messages: ModelMessage[] };

/** The settings of one generation: without tools as long as none are needed, else with the fold's. */
export async function turnSettings(
  context: AgentContext,
  turn: Turn,
  begun: readonly ModelMessage[],
): Promise<TurnSettings> {
  const { log, options, lineage, router, system, model, switches, isReal, results } = context;
  const { recorder } = turn;
  const { fold, role, hooks, routing = 'preload', settings } = options;
  const only = onlyOf(context, begun);
  const instructions = await system(systemKey(role, only));
  const base = {
    ...settings,
    // The recorder sends a request again.
    maxRetries: 0,
    // By default the SDK prints the error with the whole request. The `end` event carries the error instead.
    onError: settings?.onError ?? (() => {}),
    ...(instructions === undefined ? {} : { instructions }),
  };
  const isPlain =
    (only?.length === 0 || !switches.areToolsOn) && !hasTools(begun) && !recorder.replay;
  let isPreloaded = false;
  const onRequest = (event: RequestEvent): void => {
    recorder.announced(event, announce(context, event));
    // Told once, even if the request is sent again.
    if (event.preloaded && !isPreloaded)
      void log.report({ type: 'preload', tools: event.preloaded });
    isPreloaded = event.preloaded !== undefined;
  };
  const metered = context.metered(onRequest, ({ input, output }) => {
    turn.tokens += input + output;
  });
  /** The messages of the log are the ones that are sent. */
  const ask = async ({ messages }: StepMessages): Promise<ModelMessage[]> => {
    isPreloaded = false;
    if (recorder.replay) return messages;
    await log.append(...adopted(log.state, messages, isReal));
    await takeSteering(context, turn, false);
    await log.settled();
    if (log.failure) throw log.failure.error;
    turn.hasRun = false;
    const asked = [...log.state.messages];
    turn.requests++;
    recorder.ask(asked);
    return asked;
  };
  turn.tools = {};
  turn.isFull = false;
  if (isPlain) {
    const model = recorder.watch(takingFiles(withOwnIds(metered, context.sent.hasCall), context));
    const prepareStep = async (step: StepMessages) => ({ messages: await ask(step) });
    return { fields: { ...base, model, prepareStep }, limit: undefined };
  }
  const limit = context.maxRounds;
  const choice = choiceOf(context, only);
  const frozen = frozenOf(context);
  const { isSpent, begin, ...limits } = callLimits(context, turn, limit);
  const folded = fold.with(metered, {
    // The log has an entry for each call.
    loads: 'steps',
    ...choice,
    ...context.own,
    ...cacheOf(context),
    ...frozen,
    ...(hooks ? { hooks: ofCalls(hooks) } : {}),
    execute: {
      ...subagentsIn(context, choice),
      ...(results ? { [RECALL]: (input) => recall(results(), input) } : {}),
    },
    callHost: (call) =>
      callHost(call, {
        ...context,
        sample: (request) => sampleWith(context, request),
        callId: log.state.keyOf(call.id),
        emit: (event) => void log.report(event),
      }),
    observers: turn.observer,
    runWith: (call, run) => context.calls.run(call, run, turn),
    ...(routing === 'preload' && switches.areToolsOn
      ? { preload: preloadBy(router, lineage?.task) }
      : {}),
    ...limits,
    onRequest,
    history: context.sent,
    onFallback: (fallback) => void log.report({ type: 'fallback', ...fallback }),
  });
  turn.tools = folded.tools as ToolSet;
  let lastSteps = 0;
  const fields = {
    ...base,
    ...folded,
    model: recorder.watch(takingFiles(folded.model, context)),
    stopWhen: [
      () => turn.requests >= context.budget.requests,
      () => lastSteps >= LAST_STEPS,
      () => {
        turn.isFull = dueCompaction(context, log.state.messages) !== undefined;
        return turn.isFull;
      },
    ],
    prepareStep: async (step: StepMessages) => {
      const messages = await ask(step);
      begin(messages);
      const isLast = isSpent(messages);
      lastSteps = isLast || turn.spent !== undefined ? lastSteps + 1 : 0;
      const choice =
        isLast && keepsPrefixWithoutTools(model) ? { toolChoice: 'none' as const } : {};
      return { messages, ...choice };
    },
  };
  return { fields, limit };
}

/**
 * Writes what the user wrote since the last request, behind all that is there. `isEnd`: the answer has ended. Returns
 * whether there was something.
 */
export async function takeSteering(
  { log, steering }: AgentContext,
  { signal }: Pick<Turn, 'signal'>,
  isEnd: boolean,
): Promise<boolean> {
  let isAny = false;
  await raceAbort(log.look(), signal);
  await steering.take(isEnd, async (due) => {
    // The same message may come from here and from the inbox.
    const known = new Set(log.state.ids);
    const entries = due.flatMap(({ id, message, posted }): Write[] => {
      const isKnown = id !== undefined && known.has(id);
      if (id !== undefined) known.add(id);
      return isKnown ? [] : [['user', { message, ...pick({ id, posted }, 'id', 'posted') }]];
    });
    isAny = entries.length > 0;
    await log.append(...entries);
  });
  return isAny;
}

/** The `execute` of the tool `subagents` for this turn. */
function subagentsIn(
  { log, team, elicitations }: AgentContext,
  ceiling: Ceiling,
): NonNullable<WithOptions['execute']> {
  if (!team) return {};
  return {
    [SUBAGENTS]: (input, { toolCallId: id, abortSignal: signal }) => {
      const emit = (event: AgentEvent) => {
        elicitations.follow(event);
        const isOfChild = event.type === 'subagent' || event.type === 'subagent-end';
        void log.report(isOfChild ? { ...event, call: id } : event);
      };
      return team.run(input, { id, signal, ceiling, emit });
    },
  };
}

/** The hooks for calls, which the fold has too. */
function ofCalls({ transformSystemPrompt: _, ...hooks }: AgentHooks): ToolHooks {
  return hooks;
}

interface CallLimits {
  /** Whether no tool may be called any more after these messages. */
  readonly isSpent: (messages: readonly ModelMessage[]) => boolean;
  /** Checks the budgets before a request with these messages. */
  readonly begin: (messages: readonly ModelMessage[]) => void;
  /** What the model is told about it. */
  readonly notice: Notice;
  /** Decides approval by the name of the real tool, also for calls through a bridge tool. */
  readonly toolApproval: NonNullable<WithOptions['toolApproval']>;
}

/** Which calls of a generation may run. `limit`: of tool rounds. */
function callLimits(context: AgentContext, turn: Turn, limit: number): CallLimits {
  const { log, switches, isReal, policy, budget, steering } = context;
  const isSpent = (messages: readonly ModelMessage[]) =>
    !switches.areToolsOn ||
    mayNotCall(turn) ||
    roundsIn(messages, isReal) + turn.cutRounds >= limit;
  const limits: Readonly<Record<Budget, number>> = { ...budget, loads: LOADS_IN_A_ROW };
  return {
    isSpent,
    begin: (messages) => {
      const { spent: before, requests, tokens } = turn;
      const used = { requests, tokens, loads: loadsInARow(messages, isReal) };
      const of = ORDER.find((name) => used[name] >= limits[name]);
      turn.spent = of;
      if (of && of !== before) void log.report({ type: 'rounds', limit: limits[of], of });
    },
    notice: ({ isNew, rounds: shown }) => {
      const rounds = shown + turn.cutRounds;
      if (!switches.areToolsOn) return isNew ? TOOLS_OFF : undefined;
      const notices = log.state.saysToolsAreOff ? [TOOLS_ON] : [];
      if (rounds >= limit) {
        if (turn.rounds < limit) void log.report({ type: 'rounds', limit, roundsLeft: 0 });
        turn.rounds = rounds;
        notices.push(ROUNDS_SPENT);
      } else if (turn.spent) notices.push(BUDGET_SPENT[turn.spent]);
      return notices.length > 0 ? notices.join('\n\n') : undefined;
    },
    toolApproval: async ({ toolCall, needsApproval }: AppApprovalQuestion) => {
      const { toolName: name, toolCallId } = toolCall;
      if (!isReal(name)) return undefined;
      const { askedCalls, runs } = log.state;
      // An earlier process has denied it. The model reads the same.
      const { denied, thrown } = runs.get(toolCallId)?.outcome ?? {};
      if (denied !== undefined && thrown === undefined)
        return { type: 'denied' as const, ...(denied && { reason: denied }) };
      // The SDK does not know what the user has written since the turn began.
      if (isSpent(before(log.state.messages, toolCallId))) {
        const used = mayNotCall(turn) ? NO_BUDGET : NO_ROUNDS;
        const reason = switches.areToolsOn ? used : TOOLS_ARE_OFF;
        return { type: 'denied' as const, reason };
      }
      const isOfApp = await needsApproval();
      const isAsked = isOfApp || policy.requiresApproval(name, toolCall.input);
      // One that was asked about before has its answer. One that has begun in an earlier process may have had an effect.
      const isNew = !askedCalls.has(toolCallId) && !runs.has(toolCallId);
      if (steering.isDue && isNew && (isAsked || !policy.isRead(name)))
        return { type: 'denied' as const, reason: USER_WROTE };
      if (isOfApp)
        return { type: 'user-approval' as const, reason: 'the application requires approval' };
      return isAsked ? ('user-approval' as const) : undefined;
    },
  };
}

/** The order in which budgets are named. */
const ORDER: readonly Budget[] = ['requests', 'tokens', 'loads'];

/** Whether a budget is used up without which no tool may run. */
function mayNotCall({ spent }: Turn): boolean {
  return spent !== undefined && spent !== 'loads';
}

/** The messages before a call. After a resume they hold the call itself, which must not count as a round yet. */
function before(messages: readonly ModelMessage[], toolCallId: string): readonly ModelMessage[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  // A call that has a result is another call: endpoints may reuse call ids in each response.
  const isOpen = at >= 0 && openCalls(messages.slice(at)).some(({ id }) => id === toolCallId);
  return isOpen ? messages.slice(0, at) : messages;
}
