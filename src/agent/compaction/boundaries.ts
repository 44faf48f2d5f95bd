import type { ModelMessage } from 'ai';
import { type Part, partsOf } from '../state/index.ts';

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

/** Results by call id, and answers to approvals by approval id, with the indexes of their messages. */
type Ends = ReadonlyMap<string | undefined, readonly { readonly index: number }[]>;

function endsById(messages: readonly ModelMessage[]): Ends {
  const ends = messages.flatMap((message, index) =>
    partsOf([message]).map((part) => ({ key: endKey(part), index })),
  );
  return Map.groupBy(ends, ({ key }) => key);
}

function endKey(part: Part): string | undefined {
  if (part.type === 'tool-result') return `call ${part.toolCallId}`;
  if (part.type === 'tool-approval-response') return `approval ${part.approvalId}`;
  return;
}

/** The index of the last message that belongs to what this message begins. */
function lastEnd({ role, content }: ModelMessage, index: number, ends: Ends): number {
  if (role !== 'assistant' || typeof content === 'string') return index;
  const endOf = (key: string) => ends.get(key)?.find((end) => end.index >= index)?.index;
  return content.reduce((last, part) => {
    if (part.type === 'tool-approval-request')
      return Math.max(last, endOf(`approval ${part.approvalId}`) ?? index);
    if (part.type !== 'tool-call') return last;
    // A provider answers its own calls in the same message, or in a later one.
    const open = part.providerExecuted ? index : Infinity;
    return Math.max(last, endOf(`call ${part.toolCallId}`) ?? open);
  }, index);
}
