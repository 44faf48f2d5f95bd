import { isStepCount, type ModelMessage, type ToolSet } from 'ai';
import type {
  AppApprovalQuestion,
  Ceiling,
  Notice,
  RequestEvent,
  WithOptions,
} from '../../ai-sdk/index.ts';
import { isNotePart, readResponseNote } from '../../ai-sdk/metadata/index.ts';
import type { ModelObject } from '../../ai-sdk/model/index.ts';
import type { LanguageModelV4StreamPart } from '../../ai-sdk/protocol/index.ts';
import type { ModelSettings } from '../../config/index.ts';
import { looseGlobs } from '../../tools/registry/globs/index.ts';
import { viewOf } from '../../tools/registry/index.ts';
import type { SamplingAnswer, SamplingRequest } from '../../tools/tool/index.ts';
import type { ApprovalPolicy } from '../approvals/index.ts';
import { type ContextUse, RECALL } from '../compaction/index.ts';
import { hasTools, openCalls } from '../conversation/index.ts';
import { callHost, type Elicitations } from '../elicitations/index.ts';
import type { AgentEvent } from '../events/index.ts';
import { type CallLog, type Journal, replayed, type Write } from '../journal/index.ts';
import type { AgentOptions, Lineage } from '../options/index.ts';
import { hasRecall, RecordedResults, recall } from '../recall/index.ts';
import { narrowTo, preloadBy, type Router } from '../routing/index.ts';
import { settingsOf } from '../settings/index.ts';
import { SUBAGENTS } from '../subagents/engine/index.ts';
import type { Team } from '../subagents/index.ts';
import {
  intendedCalls,
  keepsPrefixWithoutTools,
  NO_ROUNDS,
  ROUNDS_SPENT,
  roundsFor,
  roundsIn,
  saysToolsAreOff,
  TOOLS_ARE_OFF,
  TOOLS_OFF,
  TOOLS_ON,
  type Turn,
} from '../turn/index.ts';
import { readUsage } from '../usage/index.ts';
import { type Announcing, announce } from './announce.ts';
import { recordedModel } from './recorded-model.ts';
import { type SystemText, systemKey } from './system-text.ts';

/** Average limit of requests per round. It bounds loading and searching, which do not count as rounds. */
const STEPS_PER_ROUND = 4;

/** Limit of requests after the last round, for a model that keeps calling tools although none may be called. */
const LAST_STEPS = 3;

/** State and functions that all turns of an agent share. */
export interface AgentContext extends Announcing {
  readonly options: AgentOptions;
  readonly lineage: Lineage | undefined;
  readonly journal: Journal;
  readonly calls: CallLog;
  readonly router: Router;
  readonly policy: ApprovalPolicy;
  readonly system: SystemText;
  readonly team: Team | undefined;
  /** Whether a name is that of a real tool and not of a bridge tool. */
  readonly isReal: (toolName: string) => boolean;
  readonly areToolsOn: () => boolean;
  /**
   * The model, wrapped so that each usage is counted and emitted in the turn. `onPlainRequest` receives each request
   * that the fold has not announced, because it has no tools.
   */
  readonly metered: (turn: Turn, onPlainRequest: (event: RequestEvent) => void) => ModelObject;
  /** How much of the model's context window the conversation uses. */
  readonly use: ContextUse;
  /** Whether the conversation must be compacted before a request with these messages. */
  readonly isFull: (messages: readonly ModelMessage[]) => boolean;
  /** The user behind the agent. Subagents have the user of their parent. */
  readonly user: object;
  readonly elicitations: Elicitations;
  /** Answers an MCP server with the agent's model. */
  readonly sample: (request: SamplingRequest, turn: Turn) => Promise<SamplingAnswer>;
}

export interface TurnSettings {
  /** For `ToolLoopAgent`. */
  readonly fields: object;
  /** Tool rounds; undefined if the generation has no tools. */
  readonly limit: number | undefined;
}

/** The settings of one generation: without tools as long as none are needed, else with the fold's. */
export async function turnSettings(context: AgentContext, turn: Turn): Promise<TurnSettings> {
  const { options, lineage, router, system, model, areToolsOn } = context;
  const { fold, role, hooks, routing = 'preload', settings } = options;
  const addressOf = (name: string) => fold.layer.addressOf(name);
  const only = routing === 'narrow' ? narrowTo(router, turn.reached, addressOf) : undefined;
  const instructions = await system.text(systemKey(role, only));
  const base = {
    ...settings,
    // By default the SDK prints the error with the whole request. The `end` event carries the error instead.
    onError: settings?.onError ?? (() => {}),
    ...(instructions === undefined ? {} : { instructions }),
  };
  const isPlain = (only?.length === 0 || !areToolsOn()) && !hasTools(turn.reached) && !turn.replay;
  let preloadedAt: readonly ModelMessage[] | undefined;
  const onRequest = (event: RequestEvent): void => {
    turn.request(event, announce(context, turn, event));
    // Emitted once, even if the request is retried.
    if (event.preloaded && preloadedAt !== turn.reached)
      turn.emitForStep({ type: 'preload', tools: event.preloaded });
    preloadedAt = turn.reached;
  };
  const metered = context.metered(turn, onRequest);
  const record = {
    send: () => turn.send(),
    take: (part: LanguageModelV4StreamPart) => turn.write(part),
    complete: (finish: FinishPart) => keepAnswer(context, turn, finish),
    replay: () => {
      const { replay } = turn;
      turn.replay = undefined;
      return replay && replayed(replay);
    },
    fail: (error: unknown) => turn.fail(error),
  };
  const ask = async (messages: ModelMessage[]) => {
    turn.ask(messages);
    // An answer that is replayed is not in the messages yet.
    if (!turn.replay) await context.journal.sync(messages);
  };
  turn.tools = {};
  turn.isFull = false;
  if (isPlain) {
    const model = recordedModel(metered, record);
    const prepareStep = async ({ messages }: { messages: ModelMessage[] }) => {
      await ask(messages);
      return {};
    };
    return { fields: { ...base, model, prepareStep }, limit: undefined };
  }
  const own = ownSettings(options, model);
  const limit = roundsFor(options, model);
  const choice = choiceOf(context, only);
  const isSpent = (messages: readonly ModelMessage[]) =>
    !areToolsOn() || roundsIn(messages, context.isReal) + turn.cutRounds >= limit;
  const folded = fold.with(metered, {
    // The log has an entry for each call.
    loads: 'steps',
    ...choice,
    ...own,
    ...frozenOf(context),
    ...(hooks ? { hooks } : {}),
    execute: { ...subagentsIn(context, choice, turn), ...recallIn(context) },
    callHost: (call) =>
      callHost(call, {
        ...context,
        sample: (request) => context.sample(request, turn),
        callId: context.journal.state.keyOf(call.id),
        emit: (event) => turn.emitForCall(call.id, event),
      }),
    observers: turn.observer,
    runWith: (call, run) => {
      const { id, name } = call;
      const begin = () => {
        turn.emitForCall(id, { type: 'tool-start', id, name });
        return run();
      };
      const onEnd = (duration: number) => turn.took(id, duration);
      return context.calls.run(call, begin, { onEnd, signal: turn.signal });
    },
    ...(routing === 'preload' ? { preload: preloadBy(router, lineage?.task) } : {}),
    notice: noticeFor(context, turn, limit),
    toolApproval: (asked: AppApprovalQuestion) =>
      approve(context, asked, isSpent(before(asked.messages, asked.toolCall.toolCallId))),
    onRequest,
    onFallback: (fallback) => turn.emitForStep({ type: 'fallback', ...fallback }),
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
      ({ steps }: { steps: readonly { response: { messages: ModelMessage[] } }[] }) => {
        turn.isFull = context.isFull([...turn.reached, ...(steps.at(-1)?.response.messages ?? [])]);
        return turn.isFull;
      },
    ],
    prepareStep: async ({ messages }: { messages: ModelMessage[] }) => {
      await ask(messages);
      const isLast = isSpent(messages);
      lastSteps = isLast ? lastSteps + 1 : 0;
      return isLast && keepsPrefixWithoutTools(model) ? { toolChoice: 'none' as const } : {};
    },
  };
  return { fields, limit };
}

type FinishPart = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

/** Writes a complete answer before any of its calls runs, and the state of a new epoch. */
async function keepAnswer(
  context: AgentContext,
  turn: Turn,
  { usage, finishReason: { unified, raw } }: FinishPart,
): Promise<void> {
  const { journal, options, model } = context;
  if (unified === 'error') return;
  const { content, inputs } = turn.answer;
  const unread = Object.keys(inputs).length > 0 ? { inputs } : {};
  const finish = { unified, raw: raw ?? null };
  const step = journal.state.step + 1;
  const request = turn.sent === undefined ? {} : { request: turn.sent };
  const hasNoTools = Object.keys(turn.tools).length === 0;
  const facts = { isReal: context.isReal, schemaOf: (name: string) => turn.schemaNow(name) };
  await journal.write(
    ['model', { step, content: [...content], ...unread, ...request, finish }],
    ...intendedCalls(turn.answer, facts, hasNoTools).flatMap(
      ({ event: { type: _, ...call }, answer }) => {
        const { id, name } = call;
        const refusal: Write[] =
          answer === undefined ? [] : [['result', { id, name, error: answer, thrown: answer }]];
        return [['call', call] as Write, ...refusal];
      },
    ),
  );
  context.use.answered(readUsage(usage), turn.reached.length + 1);
  if (!journal.isHeld || !content.some(beginsEpoch)) return;
  const given = { ...choiceOf(context), ...ownSettings(options, model), ...frozenOf(context) };
  const messages: ModelMessage[] = [...turn.reached, { role: 'assistant', content: [...content] }];
  const state = await options.fold.state(options.model, messages, given);
  await journal.write(['epoch', { state }]);
}

/** Whether a part of an answer is a note that names new frozen bytes. */
function beginsEpoch(part: Turn['answer']['content'][number]): boolean {
  const note = isNotePart(part) ? readResponseNote(part.providerOptions) : undefined;
  return note?.epoch !== undefined || note?.appended !== undefined;
}

/** The tools that this agent may use. Its children get at most these. */
export function choiceOf(context: AgentContext, only?: readonly string[]): Ceiling {
  const { options, lineage, team, journal } = context;
  const { role, fold } = options;
  // Without a team the tool cannot run, so it is hidden.
  const has = fold.layer.fingerprintOf(SUBAGENTS) !== undefined;
  const { isCompacted, settings } = journal.state;
  // A session of an earlier version keeps the tools of its requests until its first compaction.
  const recalls = (settings.recall || isCompacted) && canRecall(context);
  const without = [
    ...(lineage?.without ?? []),
    ...(has && !team ? [SUBAGENTS] : []),
    ...(hasRecall(fold.layer) && !recalls ? [RECALL] : []),
  ];
  const own = [...(team ? [SUBAGENTS] : []), ...(recalls ? [RECALL] : [])];
  return {
    ...(role === undefined ? {} : { role }),
    ...(only ? { only: looseGlobs(only.length > 0 ? [...only, ...own] : only) } : {}),
    ...(without.length > 0 ? { without: looseGlobs(without) } : {}),
    ...(lineage ? { parent: lineage.ceiling } : {}),
  };
}

/** Whether the model of this agent can read results again: with a session, and if the role allows it. */
export function canRecall({ options, lineage, journal }: AgentContext): boolean {
  const { fold, role } = options;
  if (!journal.session || lineage || !hasRecall(fold.layer)) return false;
  return viewOf(fold.roles, role).allows(fold.layer.addressOf(RECALL));
}

/** The `execute` of the tool `recall_result`. */
function recallIn(context: AgentContext): NonNullable<WithOptions['execute']> {
  const { session } = context.journal;
  if (!session || !canRecall(context)) return {};
  const results = new RecordedResults(() => session.entries);
  return { [RECALL]: (input) => recall(results, input) };
}

/** The `execute` of the tool `subagents` for this turn. */
function subagentsIn(
  { team, elicitations }: AgentContext,
  ceiling: Ceiling,
  turn: Turn,
): NonNullable<WithOptions['execute']> {
  if (!team) return {};
  return {
    [SUBAGENTS]: (input, { toolCallId: id, abortSignal: signal }) => {
      const emit = (event: AgentEvent) => {
        elicitations.follow(event);
        const isOfChild = event.type === 'subagent' || event.type === 'subagent-end';
        turn.emitForCall(id, isOfChild ? { ...event, call: id } : event);
      };
      return team.run(input, { id, signal, ceiling, emit });
    },
  };
}

/** The frozen bytes of the session's epoch, which tools may have changed since. */
export function frozenOf({ journal }: AgentContext): Pick<WithOptions, 'state' | 'onMismatch'> {
  const { epoch } = journal.state;
  return epoch ? { state: epoch, onMismatch: 'new-epoch' } : {};
}

/** The fold settings that the options give for the model. */
export function ownSettings(
  { models = {} }: AgentOptions,
  model: AgentContext['model'],
): Pick<ModelSettings, 'contextWindow' | 'strategy'> {
  const { contextWindow, strategy } = settingsOf(models, model);
  return {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(strategy === undefined ? {} : { strategy }),
  };
}

function noticeFor({ areToolsOn }: AgentContext, turn: Turn, limit: number): Notice {
  return ({ isNew, rounds: shown }) => {
    const rounds = shown + turn.cutRounds;
    if (!areToolsOn()) return isNew ? TOOLS_OFF : undefined;
    const notices = saysToolsAreOff(turn.reached) ? [TOOLS_ON] : [];
    if (rounds >= limit) {
      if (turn.rounds < limit) turn.emitForStep({ type: 'rounds', limit, roundsLeft: 0 });
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
