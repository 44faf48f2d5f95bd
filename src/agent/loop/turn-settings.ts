import { isStepCount, type ModelMessage, type ToolSet } from 'ai';
import type {
  AppApprovalQuestion,
  Ceiling,
  Notice,
  RequestEvent,
  WithOptions,
} from '../../ai-sdk/index.ts';
import { isNotePart, readResponseNote } from '../../ai-sdk/metadata/index.ts';
import type { LanguageModelV4StreamPart } from '../../ai-sdk/protocol/index.ts';
import { AnswerRecorder, recordedModel, replayed } from '../answers/index.ts';
import {
  adopted,
  adoptedAgain,
  keepsPrefixWithoutTools,
  NO_ROUNDS,
  ROUNDS_SPENT,
  roundsFor,
  roundsIn,
  saysToolsAreOff,
  TOOLS_ARE_OFF,
  TOOLS_OFF,
  TOOLS_ON,
} from '../calls/index.ts';
import { RECALL } from '../compaction/index.ts';
import {
  type AgentContext,
  announce,
  canRecall,
  choiceOf,
  frozenOf,
  ownSettings,
  systemKey,
} from '../context/index.ts';
import { hasTools, openCalls } from '../conversation/index.ts';
import { callHost } from '../elicitations/index.ts';
import type { AgentEvent } from '../events/index.ts';
import { RecordedResults, recall } from '../recall/index.ts';
import { narrowTo, preloadBy } from '../routing/index.ts';
import { SUBAGENTS } from '../subagents/engine/index.ts';
import { readUsage } from '../usage/index.ts';
import type { Turn } from './turn.ts';

/** Average limit of requests per round. It bounds loading and searching, which do not count as rounds. */
const STEPS_PER_ROUND = 4;

/** Limit of requests after the last round, for a model that keeps calling tools although none may be called. */
const LAST_STEPS = 3;

export interface TurnSettings {
  /** For `ToolLoopAgent`. */
  readonly fields: object;
  /** Tool rounds; undefined if the generation has no tools. */
  readonly limit: number | undefined;
  readonly recorder: AnswerRecorder;
}

type Step = { readonly messages: ModelMessage[] };

/** The settings of one generation: without tools as long as none are needed, else with the fold's. */
export async function turnSettings(context: AgentContext, turn: Turn): Promise<TurnSettings> {
  const { log, options, lineage, router, system, model, areToolsOn, isReal } = context;
  const { fold, role, hooks, routing = 'preload', settings } = options;
  const addressOf = (name: string) => fold.layer.addressOf(name);
  const { messages: begun } = log.state;
  const only = routing === 'narrow' ? narrowTo(router, begun, addressOf) : undefined;
  const instructions = await system.text(systemKey(role, only));
  const base = {
    ...settings,
    // By default the SDK prints the error with the whole request. The `end` event carries the error instead.
    onError: settings?.onError ?? (() => {}),
    ...(instructions === undefined ? {} : { instructions }),
  };
  const isPlain = (only?.length === 0 || !areToolsOn()) && !hasTools(begun) && !turn.replay;
  let isPreloaded = false;
  const onRequest = (event: RequestEvent): void => {
    turn.request(event, announce(context, event));
    // Told once, even if the request is sent again.
    if (event.preloaded && !isPreloaded)
      void log.report({ type: 'preload', tools: event.preloaded });
    isPreloaded = event.preloaded !== undefined;
  };
  const metered = context.metered(onRequest);
  const facts = { isReal, schemaOf: (name: string) => turn.schemaOf(name) };
  const refusesCalls = () => Object.keys(turn.tools).length === 0;
  const recorder = new AnswerRecorder({ log, facts, refusesCalls });
  const record = {
    send: () => {
      turn.isSent = true;
      return recorder.send();
    },
    take: (part: LanguageModelV4StreamPart) => recorder.take(part),
    complete: (finish: FinishPart) => keepAnswer(context, turn, recorder, finish),
    replay: () => {
      const { replay } = turn;
      turn.replay = undefined;
      turn.isReplayed = replay !== undefined;
      return replay && replayed(replay);
    },
    fail: (error: unknown) => recorder.fail(error),
  };
  /** The messages of the log are the ones that are sent. */
  const ask = async ({ messages }: Step): Promise<ModelMessage[]> => {
    isPreloaded = false;
    if (turn.replay) return messages;
    await log.append(...adopted(log.state, messages, isReal));
    if (turn.isReplayed) await log.append(...adoptedAgain(log.state, messages));
    await log.settled();
    if (log.failure) throw log.failure.error;
    turn.ask();
    recorder.ask();
    return [...log.state.messages];
  };
  turn.tools = {};
  turn.isFull = false;
  if (isPlain) {
    const model = recordedModel(metered, record);
    const prepareStep = async (step: Step) => ({ messages: await ask(step) });
    return { fields: { ...base, model, prepareStep }, limit: undefined, recorder };
  }
  const own = ownSettings(options, model);
  const limit = roundsFor(options, model);
  const choice = choiceOf(context, only);
  const isSpent = (messages: readonly ModelMessage[]) =>
    !areToolsOn() || roundsIn(messages, isReal) + turn.cutRounds >= limit;
  const folded = fold.with(metered, {
    // The log has an entry for each call.
    loads: 'steps',
    ...choice,
    ...own,
    ...frozenOf(context),
    ...(hooks ? { hooks } : {}),
    execute: { ...subagentsIn(context, choice), ...recallIn(context) },
    callHost: (call) =>
      callHost(call, {
        ...context,
        callId: log.state.keyOf(call.id),
        emit: (event) => void log.report(event),
      }),
    observers: turn.observer,
    runWith: (call, run) => context.calls.run(call, run, turn),
    ...(routing === 'preload' ? { preload: preloadBy(router, lineage?.task) } : {}),
    notice: noticeFor(context, turn, limit),
    toolApproval: (asked: AppApprovalQuestion) =>
      approve(context, asked, isSpent(before(asked.messages, asked.toolCall.toolCallId))),
    onRequest,
    onFallback: (fallback) => void log.report({ type: 'fallback', ...fallback }),
  });
  turn.tools = folded.tools as ToolSet;
  let lastSteps = 0;
  const fields = {
    ...base,
    ...folded,
    model: recordedModel(folded.model, record),
    stopWhen: [
      isStepCount((limit + 2) * STEPS_PER_ROUND),
      () => lastSteps >= LAST_STEPS,
      () => {
        turn.isFull = context.isFull(log.state.messages);
        return turn.isFull;
      },
    ],
    prepareStep: async (step: Step) => {
      const messages = await ask(step);
      const isLast = isSpent(messages);
      lastSteps = isLast ? lastSteps + 1 : 0;
      const choice =
        isLast && keepsPrefixWithoutTools(model) ? { toolChoice: 'none' as const } : {};
      return { messages, ...choice };
    },
  };
  return { fields, limit, recorder };
}

type FinishPart = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

/** Writes a complete answer before any of its calls runs, and the state of a new epoch. */
async function keepAnswer(
  context: AgentContext,
  turn: Turn,
  recorder: AnswerRecorder,
  { usage, finishReason: { unified, raw } }: FinishPart,
): Promise<void> {
  const { log, options, model } = context;
  if (unified === 'error') return;
  await log.append(...recorder.entries({ unified, raw: raw ?? null }, turn.sent));
  turn.isAnswered = true;
  const { messages } = log.state;
  context.use.answered(readUsage(usage), messages.length);
  if (!log.session || !recorder.content.some(beginsEpoch)) return;
  const given = { ...choiceOf(context), ...ownSettings(options, model), ...frozenOf(context) };
  const state = await options.fold.state(options.model, [...messages], given);
  await log.append(['epoch', { state }]);
}

/** Whether a part of an answer is a note that names new frozen bytes. */
function beginsEpoch(part: AnswerRecorder['content'][number]): boolean {
  const note = isNotePart(part) ? readResponseNote(part.providerOptions) : undefined;
  return note?.epoch !== undefined || note?.appended !== undefined;
}

/** The `execute` of the tool `recall_result`. */
function recallIn(context: AgentContext): NonNullable<WithOptions['execute']> {
  const { session } = context.log;
  if (!session || !canRecall(context)) return {};
  const results = new RecordedResults(() => session.entries);
  return { [RECALL]: (input) => recall(results, input) };
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

function noticeFor({ log, areToolsOn }: AgentContext, turn: Turn, limit: number): Notice {
  return ({ isNew, rounds: shown }) => {
    const rounds = shown + turn.cutRounds;
    if (!areToolsOn()) return isNew ? TOOLS_OFF : undefined;
    const notices = saysToolsAreOff(log.state.messages) ? [TOOLS_ON] : [];
    if (rounds >= limit) {
      if (turn.rounds < limit) void log.report({ type: 'rounds', limit, roundsLeft: 0 });
      turn.rounds = rounds;
      notices.push(ROUNDS_SPENT);
    }
    return notices.length > 0 ? notices.join('\n\n') : undefined;
  };
}

/** The messages before a call. After a resume they hold the call itself, which must not count as a round yet. */
function before(messages: readonly ModelMessage[], toolCallId: string): readonly ModelMessage[] {
  const at = messages.findLastIndex(
    ({ role, content }) =>
      role === 'assistant' &&
      typeof content !== 'string' &&
      content.some((part) => part.type === 'tool-call' && part.toolCallId === toolCallId),
  );
  // A call that has a result is another call: endpoints may reuse call ids in each response.
  const isOpen = openCalls(messages).some(({ id }) => id === toolCallId);
  return at < 0 || !isOpen ? messages : messages.slice(0, at);
}

/** Decides approval by the name of the real tool, also for calls through a bridge tool. */
async function approve(
  { policy, isReal, areToolsOn }: AgentContext,
  { toolCall, needsApproval }: AppApprovalQuestion,
  isSpent: boolean,
) {
  const { toolName: name } = toolCall;
  if (!isReal(name)) return undefined;
  if (isSpent) {
    const reason = areToolsOn() ? NO_ROUNDS : TOOLS_ARE_OFF;
    return { type: 'denied' as const, reason };
  }
  if (await needsApproval())
    return { type: 'user-approval' as const, reason: 'the application requires approval' };
  return policy.requiresApproval(name) ? ('user-approval' as const) : undefined;
}
