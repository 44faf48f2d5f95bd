import type { Ceiling, RequestEvent, WithOptions } from '@toolfold/ai-sdk';
import { withOwnIds } from '@toolfold/ai-sdk/internal/rounds';
import type { ToolHooks } from '@toolfold/core/internal/host';
import { pick, raceAbort } from '@toolfold/core/internal/tools/values';
import type { ModelMessage, ToolSet } from 'ai';
import { adopted, keepsPrefixWithoutTools } from '../calls/index.ts';
import { takingFiles } from '../content/index.ts';
import {
  type AgentContext,
  cacheOf,
  choiceOf,
  frozenOf,
  onlyOf,
  systemKey,
} from '../context/index.ts';
import { callHost } from '../elicitations/index.ts';
import type { Write } from '../entries/index.ts';
import type { AgentEvent, AgentHooks } from '../events/index.ts';
import { RECALL } from '../recall/definition/index.ts';
import { recall } from '../recall/index.ts';
import { announce } from '../requests/index.ts';
import { preloadBy } from '../routing/index.ts';
import { hasTools } from '../state/index.ts';
import { SUBAGENTS } from '../subagents/engine/index.ts';
import { callLimits } from './call-limits.ts';
import { dueCompaction } from './compact.ts';
import { sampleWith } from './side-request.ts';
import type { Turn } from './turn.ts';

/** Limit of requests after the last round, for a model that keeps calling tools although none may be called. */
const LAST_STEPS = 3;

export interface TurnSettings {
  /** For `ToolLoopAgent`. */
  readonly fields: object;
  /** Tool rounds; undefined if the generation has no tools. */
  readonly limit: number | undefined;
}

type Step = { readonly messages: ModelMessage[] };

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
  const ask = async ({ messages }: Step): Promise<ModelMessage[]> => {
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
    const prepareStep = async (step: Step) => ({ messages: await ask(step) });
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
    prepareStep: async (step: Step) => {
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
