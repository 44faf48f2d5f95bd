import { estimateTokens } from '@toolfold/core/internal/tools/tokens';
import type { ModelMessage } from 'ai';
import { roundsIn } from '../calls/index.ts';
import {
  boundaries,
  type CompactionPlan,
  compactedMessages,
  KEEP,
  messagesTokens,
  planCompaction,
  roomIn,
} from '../compaction/index.ts';
import { type AgentContext, foldSettings, systemKey } from '../context/index.ts';
import { COMPACTED } from '../entries/index.ts';
import { summarize } from './summary-request.ts';
import type { Turn } from './turn.ts';

/** The least tokens that a compaction must save. The summary costs some. */
const MIN_SAVING = 1_000;

/** Why a conversation is compacted: its model's window is full, or the user wants it. */
export type CompactionCause = 'window' | 'user';

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
