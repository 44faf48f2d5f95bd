import type { RequestEvent } from '@toolfold/ai-sdk';
import { retrying } from '@toolfold/ai-sdk/internal/response';
import { estimateTokens } from '@toolfold/core/internal/tool';
import {
  APICallError,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  ToolChoiceViolationError,
  ToolLoopAgent,
  type ToolSet,
} from 'ai';
import {
  boundaries,
  type CompactionPlan,
  compactedMessages,
  KEEP,
  mechanicalSummary,
  messagesTokens,
  NO_CALLS,
  planCompaction,
  roomIn,
  SUMMARY_REQUEST,
} from '../compaction/index.ts';
import { COMPACTED } from '../entries/index.ts';
import { retryEvent, type SentRequest } from '../events/index.ts';
import { announce } from '../log/index.ts';
import { hasTools } from '../state/index.ts';
import { type AgentContext, foldSettings, frozenOf, onlyOf, systemKey } from './context.ts';
import { keepsPrefixWithoutTools, roundsIn } from './rounds.ts';
import { takingFiles } from './side-request.ts';
import type { Turn } from './turn.ts';

/** The least tokens that a compaction must save. The summary costs some. */
const MIN_SAVING = 1_000;

/** Why a conversation is compacted: its model's window is full, or the user wants it. */
type CompactionCause = 'window' | 'user';

/** The compaction that the next request needs; undefined if it fits, or if nothing would be saved. */
export function dueCompaction(
  context: AgentContext,
  messages: readonly ModelMessage[],
): CompactionPlan | undefined {
  const { use } = context;
  const window = context.own.contextWindow;
  if (window === undefined) return;
  const used = use.tokens(messages, () => otherTokens(context));
  return used > roomIn(window) ? planFor(context, messages, 'window') : undefined;
}

/** Replaces the first part of the conversation by a summary. */
export async function compact(
  context: AgentContext,
  turn: Turn,
  signal: AbortSignal,
  cause: CompactionCause,
): Promise<void> {
  const { log, isReal } = context;
  const { messages: all } = log.state;
  const plan = planFor(context, all, cause);
  if (!plan) return;
  const isCut = plan.cut.length > 0;
  const kind = cause === 'user' ? ('compaction' as const) : undefined;
  const summary = isCut ? await summarize(context, settledPart(all, plan), signal, kind) : '';
  const messages = compactedMessages(plan, summary);
  const { before } = plan;
  const after = messagesTokens(messages, context.options.fold.maxResultLength);
  turn.cutRounds += roundsIn(all, isReal) - roundsIn(messages, isReal);
  await log.append(['compaction', { messages, summary, cause, before, after }]);
  context.use.reset();
  context.requests.expect(COMPACTED);
}

function planFor(
  context: AgentContext,
  messages: readonly ModelMessage[],
  cause: CompactionCause,
): CompactionPlan | undefined {
  const { options, isReal, own, results } = context;
  const window = own.contextWindow;
  const longest = options.fold.maxResultLength;
  const all = messagesTokens(messages, longest);
  const room = window === undefined ? Infinity : roomIn(window) / 2;
  const keep = Math.min(KEEP, room, ...(cause === 'user' ? [all / 4] : []));
  const save = Math.max(keep / 4, MIN_SAVING);
  // Names results for the tool that reads them again, if the model has it.
  const recorded = results?.();
  const recallId = recorded && ((call: string, text: string) => recorded.idOf(call, text));
  return planCompaction(messages, { keep, limit: room, save, isReal, recallId, longest });
}

/**
 * The messages that are summarized: all up to the last place where no call is open, without a message of
 * the user that is not answered yet.
 */
function settledPart(
  messages: readonly ModelMessage[],
  { system, cut }: CompactionPlan,
): ModelMessage[] {
  let end = boundaries(messages).at(-1) ?? messages.length;
  while (end > system.length + cut.length && messages[end - 1]?.role === 'user') end--;
  return messages.slice(0, end);
}

/** The estimated tokens of a first request without messages. */
function otherTokens(context: AgentContext): number {
  const { options } = context;
  const { fold, role, instructions = '' } = options;
  const { tokens } = fold.explain(options.model, foldSettings(context));
  const system = context.log.state.systems.get(systemKey(role)) ?? instructions;
  return tokens.total + (system === '' ? 0 : estimateTokens(system));
}

/** Requests for one summary. In the second one the calls of the first one are refused. */
const ATTEMPTS = 2;

/** Characters of a text that is taken for a summary although the model calls tools beside it. */
const LONG = 200;

/** Statuses of requests that are refused for what they hold, such as one that is too long. */
const REFUSED = new Set([400, 413, 422]);

/**
 * Asks the model to summarize these messages. It is one more request of their epoch: same system text,
 * same tools, so that the provider reads its prefix from the cache. No call runs. If the model gives no
 * text, or the provider refuses the request for what it holds, the summary is made without a model.
 * Throws other errors of the request, and the signal's reason.
 */
async function summarize(
  context: AgentContext,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
  kind: SentRequest['kind'],
): Promise<string> {
  const fields = await summaryFields(context, messages, kind);
  const agent = new ToolLoopAgent<never, ToolSet>(fields as never);
  const steps: SummaryDraft[] = [];
  try {
    const result = await agent.stream({
      messages: [...messages, { role: 'user', content: SUMMARY_REQUEST }],
      abortSignal: signal,
    });
    for await (const part of result.stream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'start-step') steps.push({ text: '', hasCalls: false });
      const step = steps.at(-1);
      if (step && part.type === 'text-delta') step.text += part.text;
      if (step && part.type === 'tool-call') step.hasCalls = true;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!isRefusal(error)) throw error;
  }
  signal.throwIfAborted();
  return summaryIn(steps) ?? mechanicalSummary(messages, context.isReal);
}

interface SummaryDraft {
  text: string;
  hasCalls: boolean;
}

function summaryIn(steps: readonly SummaryDraft[]): string | undefined {
  const texts = steps.filter(({ text, hasCalls }) => text.trim().length > (hasCalls ? LONG : 0));
  return (texts.findLast(({ hasCalls }) => !hasCalls) ?? texts.at(-1))?.text;
}

function isRefusal(error: unknown): boolean {
  // The model called a tool although the request forbade tool calls.
  if (ToolChoiceViolationError.isInstance(error)) return true;
  return APICallError.isInstance(error) && REFUSED.has(error.statusCode ?? 0);
}

/** The settings of the conversation's last request, with all calls denied. */
async function summaryFields(
  context: AgentContext,
  messages: readonly ModelMessage[],
  kind: SentRequest['kind'],
): Promise<object> {
  const { options, system, model, switches } = context;
  const { fold, role } = options;
  const only = onlyOf(context, messages);
  const instructions = await system(systemKey(role, only));
  const base = {
    ...withoutCallbacks(options.settings),
    maxRetries: 0,
    onError: () => {},
    ...(instructions === undefined ? {} : { instructions }),
  };
  const onRequest = (event: RequestEvent) => void announce(context, event, kind);
  const metered = context.metered(onRequest);
  const retried = (model: LanguageModel) =>
    retrying(takingFiles(model, context), {
      retries: options.settings?.maxRetries,
      onRetry: (...given) => context.log.report(retryEvent(...given)),
    });
  if ((only?.length === 0 || !switches.areToolsOn) && !hasTools(messages))
    return { ...base, model: retried(metered) };
  const folded = fold.with(metered, {
    // The log has an entry for each call.
    loads: 'steps',
    ...foldSettings(context, only),
    ...frozenOf(context),
    toolApproval: () => ({ type: 'denied', reason: NO_CALLS }),
    onRequest,
  });
  return {
    ...base,
    ...folded,
    model: retried(folded.model),
    stopWhen: isStepCount(ATTEMPTS),
    ...(keepsPrefixWithoutTools(model) ? { toolChoice: 'none' } : {}),
  };
}

/** The settings of the AI SDK without what belongs to the turns of the user. */
function withoutCallbacks(settings: object = {}): object {
  const entries = Object.entries(settings);
  return Object.fromEntries(
    entries.filter(([name]) => !/^(experimental_)?on[A-Z]/.test(name) && name !== 'output'),
  );
}
