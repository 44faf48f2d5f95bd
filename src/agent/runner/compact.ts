import type { ModelMessage } from 'ai';
import { estimateTokens } from '../../tools/tokens/index.ts';
import {
  boundaries,
  type CompactionPlan,
  compactedMessages,
  isDue,
  KEEP,
  messageTokens,
  planCompaction,
  RESERVE,
} from '../compaction/index.ts';
import type { AgentEvent } from '../events/index.ts';
import { RecordedResults } from '../recall/index.ts';
import { roundsIn, type Turn } from '../turn/index.ts';
import type { AgentState } from './agent-state.ts';
import { summarize } from './summary-request.ts';
import { systemKey } from './system-text.ts';
import { type AgentContext, canRecall, choiceOf, ownSettings } from './turn-settings.ts';

interface Parts {
  readonly context: AgentContext;
  readonly state: AgentState;
}

/** Why the next epoch begins. */
export const COMPACTED = 'the conversation was compacted';

/** The least tokens that a compaction must save. The summary costs some. */
const MIN_SAVING = 1_000;

/** Why a conversation is compacted: its model's window is full, or the user wants it. */
export type CompactionCause = 'window' | 'user';

/** The compaction that the next request needs; undefined if it fits, or if nothing would be saved. */
export function dueCompaction(
  context: AgentContext,
  messages: readonly ModelMessage[],
): CompactionPlan | undefined {
  const { options, model, use } = context;
  const window = ownSettings(options, model).contextWindow;
  if (window === undefined) return;
  const used = use.tokens(messages, () => otherTokens(context));
  return isDue({ used, window }) ? planFor(context, messages, 'window') : undefined;
}

/**
 * Replaces the first part of the turn's messages by a summary. Yields the events of the request for it,
 * and at the end the `compaction`.
 */
export async function* compact(
  { context, state }: Parts,
  turn: Turn,
  signal: AbortSignal,
  cause: CompactionCause,
): AsyncGenerator<AgentEvent, undefined> {
  const plan = planFor(context, turn.reached, cause);
  if (!plan) return;
  let summary = '';
  if (plan.cut.length > 0) {
    const work = summarize(context, settledPart(turn.reached, plan), turn, signal);
    yield* eventsDuring(turn, work);
    summary = await work;
  }
  const messages = compactedMessages(plan, summary);
  const { before } = plan;
  const after = tokensOf(context, messages);
  turn.cutRounds += roundsIn(turn.reached, context.isReal) - roundsIn(messages, context.isReal);
  await state.journal.write(['compaction', { messages, summary, cause, before, after }]);
  await state.keep(messages);
  turn.begin(messages);
  context.use.reset();
  context.requests.expect(COMPACTED);
  yield { type: 'compaction', cause, summary, before, after };
}

/** The events of the turn while the work is done. Its failure is not thrown here. */
async function* eventsDuring(turn: Turn, work: Promise<unknown>): AsyncGenerator<AgentEvent> {
  const { events } = turn;
  let isDone = false;
  const end = () => {
    isDone = true;
    events.wake();
  };
  work.then(end, end);
  while (!isDone) {
    for (let event = events.shift(); event; event = events.shift()) yield event;
    if (!isDone) await events.change();
  }
  yield* events.rest();
}

function planFor(
  context: AgentContext,
  messages: readonly ModelMessage[],
  cause: CompactionCause,
): CompactionPlan | undefined {
  const { options, model, isReal } = context;
  const window = ownSettings(options, model).contextWindow;
  const room = window === undefined ? Infinity : (window - Math.min(RESERVE, window / 2)) / 2;
  const all = tokensOf(context, messages);
  const keep = Math.min(KEEP, room, ...(cause === 'user' ? [all / 4] : []));
  const save = Math.max(keep / 4, MIN_SAVING);
  const recallId = recallIdIn(context);
  const longest = options.fold.maxResultLength;
  return planCompaction(messages, { keep, limit: room, save, isReal, recallId, longest });
}

/** Names results for the tool that reads them again, if the model has it. */
function recallIdIn(context: AgentContext): ((call: string, text: string) => string) | undefined {
  const { session } = context.journal;
  if (!session || !canRecall(context)) return;
  const results = new RecordedResults(() => session.entries);
  return (call, text) => results.idOf(call, text);
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

function tokensOf({ options }: AgentContext, messages: readonly ModelMessage[]): number {
  const { maxResultLength } = options.fold;
  return messages.reduce(
    (sum, one) => sum + messageTokens(one, estimateTokens, maxResultLength),
    0,
  );
}

/** The estimated tokens of a first request without messages. */
function otherTokens(context: AgentContext): number {
  const { options, model } = context;
  const { fold, role, instructions = '' } = options;
  const given = { ...choiceOf(context), ...ownSettings(options, model) };
  const { tokens } = fold.explain(options.model, given);
  const system = context.journal.state.systems.get(systemKey(role)) ?? instructions;
  return tokens.total + (system === '' ? 0 : estimateTokens(system));
}
