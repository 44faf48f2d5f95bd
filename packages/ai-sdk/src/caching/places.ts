import type { CacheMarks } from '@toolfold/core/internal/models';
import type { LanguageModelV4Message, LanguageModelV4Prompt, WireTool } from '../protocol/index.ts';

/** How long a provider keeps what a mark asks for. */
export type CacheTime = '5m' | '1h';

/** The place of a mark: a tool, a system message, or a part of a message. */
export interface MarkPlace {
  readonly in: 'tools' | 'system' | 'message';
  /** The index of the tool or of the message. */
  readonly index: number;
  /** The index of the part. */
  readonly part?: number;
  readonly time: CacheTime;
}

interface Request {
  readonly prompt: LanguageModelV4Prompt;
  readonly tools: readonly WireTool[];
}

/**
 * Where a request asks for the cache, in the order of the cache. All of it follows from the messages, so that each
 * process sets the same marks: the end of what is frozen, the end of the request before, the end of this one.
 *
 * The mark of the request before is where that request has written. Without it, a turn with more parallel calls
 * than the provider looks back would be written anew. With `1h`, what is frozen and the start of a turn are kept for
 * an hour. Then the second mark stands at the start of a turn if the look-back finds the request before.
 */
export function placesOf(
  { prompt, tools }: Request,
  marks: CacheMarks,
  time: CacheTime,
): readonly MarkPlace[] {
  const frozen = endOfFrozen(prompt, tools, marks, time);
  if (marks.places === 'frozen') return frozen ? [frozen] : [];
  const end = placeBefore(prompt, prompt.length);
  if (!end) return frozen ? [frozen] : [];
  const isLong = (place: PartPosition) => time === '1h' && startsTurn(prompt, place);
  const before = placeBefore(prompt, answerBefore(prompt, end.index));
  let middle = before;
  if (before && time === '1h' && blocksBetween(prompt, before, end) < marks.lookBack)
    middle = startOfTurn(prompt, end.index) ?? before;
  // An hour must stand before five minutes.
  const timeOf = (place: PartPosition, later?: PartPosition): CacheTime =>
    isLong(place) || (later && isLong(later)) ? '1h' : '5m';
  return [
    ...(frozen ? [frozen] : []),
    ...(middle ? [{ ...middle, in: 'message' as const, time: timeOf(middle, end) }] : []),
    { ...end, in: 'message', time: timeOf(end) },
  ];
}

interface PartPosition {
  readonly index: number;
  readonly part: number;
}

/** The last system message before the conversation, which stands behind the tools. Without one, the last tool. */
function endOfFrozen(
  prompt: LanguageModelV4Prompt,
  tools: readonly WireTool[],
  { onTools }: CacheMarks,
  time: CacheTime,
): MarkPlace | undefined {
  const first = prompt.findIndex(({ role }) => role !== 'system');
  const index = prompt
    .slice(0, first < 0 ? prompt.length : first)
    .findLastIndex(({ role, content }) => role === 'system' && !isBlank(content));
  if (index >= 0) return { in: 'system', index, time };
  const last = onTools ? tools.findLastIndex(takesMark) : -1;
  return last < 0 ? undefined : { in: 'tools', index: last, time };
}

/** Providers refuse a mark on a deferred tool, and the AI SDK sets none on a tool of the provider. */
function takesMark(tool: WireTool): boolean {
  return tool.type === 'function' && tool.providerOptions?.anthropic?.deferLoading !== true;
}

/** The last part before a message that can carry a mark: a result, or something of the user. */
function placeBefore(prompt: LanguageModelV4Prompt, end: number): PartPosition | undefined {
  for (let index = end - 1; index >= 0; index--) {
    const message = prompt[index];
    const part = message ? lastPart(message) : -1;
    if (part >= 0) return { index, part };
  }
  return undefined;
}

function lastPart(message: LanguageModelV4Message): number {
  if (message.role === 'tool')
    return message.content.findLastIndex(({ type }) => type === 'tool-result');
  // A provider refuses a mark on an empty text.
  return message.role === 'user'
    ? message.content.findLastIndex((part) => part.type !== 'text' || !isBlank(part.text))
    : -1;
}

/** The index of the answer to the request before: of the first of the assistant's messages that stand together. */
function answerBefore(prompt: LanguageModelV4Prompt, end: number): number {
  let index = prompt.findLastIndex(({ role }, at) => at < end && role === 'assistant');
  while (prompt[index - 1]?.role === 'assistant') index--;
  return index;
}

/** The end of what the user said at the start of a turn that began before a message. */
function startOfTurn(prompt: LanguageModelV4Prompt, end: number): PartPosition | undefined {
  for (let at = answerBefore(prompt, end); at > 0; at = answerBefore(prompt, at)) {
    const place = placeBefore(prompt, at);
    if (!place || startsTurn(prompt, place)) return place;
  }
  return undefined;
}

/** Whether a turn begins with the request that ends here: what was said since the last answer is the user's. */
function startsTurn(prompt: LanguageModelV4Prompt, { index }: PartPosition): boolean {
  for (let at = index; at >= 0; at--) {
    const role = prompt[at]?.role;
    if (role === 'tool') return false;
    if (role === 'assistant') return true;
  }
  return true;
}

/** The blocks behind one place up to another. */
function blocksBetween(
  prompt: LanguageModelV4Prompt,
  from: PartPosition,
  to: PartPosition,
): number {
  let count = 0;
  for (let index = from.index; index <= to.index; index++) {
    const content = prompt[index]?.content;
    count += typeof content === 'string' ? 1 : (content?.length ?? 0);
  }
  const behind = (prompt[to.index]?.content.length ?? 0) - 1 - to.part;
  return count - (from.part + 1) - behind;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
