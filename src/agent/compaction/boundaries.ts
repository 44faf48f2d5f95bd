import type { ModelMessage } from 'ai';

/**
 * The places where a conversation can be cut, as indexes of the messages behind them, in order. No place
 * is between a call and its result, or between the request for an approval and its answer. The index
 * behind the last message is among them if the conversation waits for nothing.
 */
export function boundaries(messages: readonly ModelMessage[]): number[] {
  const ends = endsById(messages);
  const places: number[] = [];
  /** No place up to this index. */
  let blocked = 0;
  for (const [index, message] of messages.entries()) {
    if (index > blocked && message.role !== 'tool') places.push(index);
    blocked = Math.max(blocked, lastEnd(message, index, ends));
  }
  if (messages.length > 0 && blocked < messages.length) places.push(messages.length);
  return places;
}

/** Indexes of results by call id, and of answers to approvals by approval id. */
type Ends = ReadonlyMap<string, readonly number[]>;

function endsById(messages: readonly ModelMessage[]): Ends {
  const ends = new Map<string, number[]>();
  for (const [index, { content }] of messages.entries()) {
    for (const part of typeof content === 'string' ? [] : content) {
      const key = endKey(part);
      if (key === undefined) continue;
      const known = ends.get(key);
      if (known) known.push(index);
      else ends.set(key, [index]);
    }
  }
  return ends;
}

type Part = Exclude<ModelMessage['content'], string>[number];

function endKey(part: Part): string | undefined {
  if (part.type === 'tool-result') return `call ${part.toolCallId}`;
  if (part.type === 'tool-approval-response') return `approval ${part.approvalId}`;
  return;
}

/** The index of the last message that belongs to what this message begins. */
function lastEnd({ role, content }: ModelMessage, index: number, ends: Ends): number {
  if (role !== 'assistant' || typeof content === 'string') return index;
  const endOf = (key: string) => ends.get(key)?.find((end) => end >= index);
  return content.reduce((last, part) => {
    if (part.type === 'tool-approval-request')
      return Math.max(last, endOf(`approval ${part.approvalId}`) ?? index);
    if (part.type !== 'tool-call') return last;
    // A provider answers its own calls in the same message, or in a later one.
    const open = part.providerExecuted ? index : Infinity;
    return Math.max(last, endOf(`call ${part.toolCallId}`) ?? open);
  }, index);
}
