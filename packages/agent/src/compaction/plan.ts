import { isNotePart, readResponseNote } from '@toolfold/ai-sdk/internal/messages';
import { KEY } from '@toolfold/core/internal/host';
import { truncate } from '@toolfold/core/internal/values';
import type { ModelMessage, UserModelMessage } from 'ai';
import type { Content, ResultPart } from '../entries/index.ts';
import { type MessagePart, partsOf, textOf } from '../state/index.ts';
import { messagesTokens, partTokens } from './context-use.ts';
import { type Digest, digested, digestOf, type RecallId, ToolResults } from './digest.ts';
import { isSummary, summaryMessage } from './summary.ts';

/** Tokens at the end of a conversation that stay as they are. */
export const KEEP = 20_000;

/** The most digests of results that were cut, the newest ones. */
const DIGESTS = 20;

interface CompactionPlanOptions {
  /** `KEEP` if left out. */
  readonly keep?: number | undefined;
  /** The most tokens that may stay, where the window allows no more. */
  readonly limit?: number | undefined;
  /** The least tokens that must be saved. A quarter of `keep` if left out. */
  readonly save?: number | undefined;
  /** The characters of a result that the model sees. No limit if left out. */
  readonly longest?: number | undefined;
  /** Whether a name is that of a tool and not of a bridge tool. */
  readonly isReal?: ((name: string) => boolean) | undefined;
  /** Set if the model has the tool that reads results again. */
  readonly recallId?: RecallId | undefined;
}

/** How a conversation becomes shorter. */
export interface CompactionPlan {
  /** The system messages of the part that is cut. They stay. */
  readonly system: readonly ModelMessage[];
  /** The messages that the summary replaces. Empty if only results become digests. */
  readonly cut: readonly ModelMessage[];
  /** Digests of the newest results that are cut. */
  readonly digests: readonly Digest[];
  /** The user's last message, if it is cut and its answer is not. */
  readonly asked: UserModelMessage | undefined;
  readonly kept: readonly ModelMessage[];
  /** Estimated tokens of all messages. */
  readonly before: number;
}

/**
 * Decides what stays of a conversation: about the last `keep` tokens, from a place where no call is
 * separated from its result. If what stays is too large, older large results in it become digests, and
 * beyond `limit` the newest ones too. Undefined if too little would be saved.
 */
export function planCompaction(
  messages: readonly ModelMessage[],
  options: CompactionPlanOptions = {},
): CompactionPlan | undefined {
  const { keep = KEEP, longest } = options;
  const before = messagesTokens(messages, longest);
  const { at, system, cut, asked } = dividedAt(messages, cutAt(messages, before, options), keep);
  const { kept, digests } = shortened(messages, at, options);
  const stays = [...system, ...(asked ? [asked] : []), ...kept];
  const saved = before - messagesTokens(stays, longest);
  return saved < (options.save ?? keep / 4)
    ? undefined
    : { system, cut, digests, asked, kept, before };
}

/** The messages that stand in place of the conversation. */
export function compactedMessages(plan: CompactionPlan, summary: string): ModelMessage[] {
  const { system, cut, digests, asked, kept } = plan;
  return [
    ...system,
    ...(cut.length > 0 ? [summaryMessage(summary, digests)] : []),
    ...(asked ? [asked] : []),
    ...kept,
  ];
}

interface Divided extends Pick<CompactionPlan, 'system' | 'cut' | 'asked'> {
  /** The index of the first message that is kept. */
  readonly at: number;
}

/** The part before the place, or nothing if the summary would only repeat the user's last message. */
function dividedAt(messages: readonly ModelMessage[], at: number, keep: number): Divided {
  const system = messages.slice(0, at).filter(({ role }) => role === 'system');
  const cut = messages.slice(0, at).filter(({ role }) => role !== 'system');
  const asked = askedIn(cut, messages.slice(at), keep);
  return cut.every((message) => message === asked || isSummary(message))
    ? { at: 0, system: [], cut: [], asked: undefined }
    : { at, system, cut, asked };
}

/** The earliest place behind which no more than `keep` tokens follow, else the last place. 0: no place. */
function cutAt(
  messages: readonly ModelMessage[],
  tokens: number,
  { keep = KEEP, longest }: CompactionPlanOptions,
): number {
  const places = boundaries(messages).filter((place) => place < messages.length);
  let left = tokens;
  let index = 0;
  for (const place of places) {
    left -= messagesTokens(messages.slice(index, place), longest);
    index = place;
    if (left <= keep) return place;
  }
  return places.at(-1) ?? 0;
}

/** The user's last message, shortened if it is large, if the answer to it goes on in what is kept. */
function askedIn(
  cut: readonly ModelMessage[],
  kept: readonly ModelMessage[],
  keep: number,
): UserModelMessage | undefined {
  if (kept[0]?.role === 'user') return;
  const asked = cut.findLast((message) => message.role === 'user' && !isSummary(message));
  if (asked?.role !== 'user') return;
  return messagesTokens([asked]) <= keep / 4
    ? asked
    : { role: 'user', content: truncate(textOf(asked), keep) };
}

/**
 * What stays from the index `at` on, with digests where it is too large and without its epoch, and the digests of
 * what is cut.
 */
function shortened(
  messages: readonly ModelMessage[],
  at: number,
  { keep = KEEP, limit = Infinity, isReal = () => true, longest, recallId }: CompactionPlanOptions,
): Pick<CompactionPlan, 'kept' | 'digests'> {
  // The model has not read the results behind its last answer.
  const unread = messages.findLastIndex(({ role }) => role === 'assistant');
  const results = new ToolResults();
  const digests: Digest[] = [];
  const short = new Map<MessagePart, ResultPart>();
  let size = messagesTokens(messages.slice(at), longest);
  for (const [index, message] of messages.entries()) {
    for (const result of results.in(message)) {
      const mayStay = index >= at && size <= (index < unread ? keep : limit);
      if (mayStay || !isReal(result.toolName)) continue;
      const digest = digestOf(result, results.isMcp(result.toolCallId), recallId);
      if (digest && index < at) digests.push(digest);
      if (!digest || index < at) continue;
      const replaced = digested(result, digest);
      size += partTokens(replaced, longest) - partTokens(result, longest);
      short.set(result, replaced);
    }
  }
  const kept = withoutEpoch(messages.slice(at), short);
  return { kept, digests: digests.slice(-DIGESTS) };
}

/**
 * The messages that stay, without what belongs to their epoch: its fingerprint, notices, and preloaded
 * schemas. The next request begins a new epoch, which shows what is true then. Of notes only the texts
 * of results stay, except for results that became digests. `short`: those by the results.
 */
function withoutEpoch(
  messages: readonly ModelMessage[],
  short: ReadonlyMap<MessagePart, ResultPart>,
): ModelMessage[] {
  const digestedIds = new Set([...short.values()].map(({ toolCallId }) => toolCallId));
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role === 'tool')
      return [{ ...message, content: message.content.map((part) => short.get(part) ?? part) }];
    if (message.role !== 'assistant' || typeof message.content === 'string') return [message];
    const content = message.content.flatMap((part) => withoutNotices(part, digestedIds));
    // An answer without content is refused by providers.
    return content.length > 0 ? [{ ...message, content }] : [];
  });
}

function withoutNotices(part: Content, digestedIds: ReadonlySet<string>): readonly Content[] {
  if (!isNotePart(part)) return [part];
  const note = readResponseNote(part.providerOptions);
  const kept: Record<string, object> = {};
  for (const kind of ['errors', 'outputs'] as const) {
    const texts = Object.entries(note?.[kind] ?? {}).filter(([id]) => !digestedIds.has(id));
    if (texts.length > 0) kept[kind] = Object.fromEntries(texts);
  }
  if (Object.keys(kept).length === 0) return [];
  return [{ ...part, providerOptions: { [KEY]: kept } } as Content];
}

/**
 * The places where a conversation can be cut, as indexes of the messages behind them, in order. No place
 * is between a call and its result, or between the request for an approval and its answer. The index
 * behind the last message is among them if the conversation waits for nothing.
 */
export function boundaries(messages: readonly ModelMessage[]): number[] {
  const lastEnds = new Map(
    messages.flatMap((message, index) => partsOf([message]).map((part) => [endOf(part), index])),
  );
  /** What has no result or answer yet. */
  const open = new Set<string | undefined>();
  const places: number[] = [];
  for (const [index, message] of messages.entries()) {
    if (index > 0 && open.size === 0 && message.role !== 'tool') places.push(index);
    for (const part of partsOf([message])) {
      open.delete(endOf(part));
      const end = endAwaitedBy(part);
      // A provider answers its own calls in the same message, or in a later one.
      const mayStayOpen = part.type === 'tool-call' && !part.providerExecuted;
      if (end && (mayStayOpen || (lastEnds.get(end) ?? -1) >= index)) open.add(end);
    }
  }
  if (messages.length > 0 && open.size === 0) places.push(messages.length);
  return places;
}

function endOf(part: MessagePart): string | undefined {
  if (part.type === 'tool-result') return `call ${part.toolCallId}`;
  return part.type === 'tool-approval-response' ? `approval ${part.approvalId}` : undefined;
}

function endAwaitedBy(part: MessagePart): string | undefined {
  if (part.type === 'tool-call') return `call ${part.toolCallId}`;
  return part.type === 'tool-approval-request' ? `approval ${part.approvalId}` : undefined;
}
