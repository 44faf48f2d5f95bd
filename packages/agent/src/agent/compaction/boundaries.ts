import type { ModelMessage } from 'ai';
import { type Part, partsOf } from '../state/index.ts';

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

function endOf(part: Part): string | undefined {
  if (part.type === 'tool-result') return `call ${part.toolCallId}`;
  return part.type === 'tool-approval-response' ? `approval ${part.approvalId}` : undefined;
}

function endAwaitedBy(part: Part): string | undefined {
  if (part.type === 'tool-call') return `call ${part.toolCallId}`;
  return part.type === 'tool-approval-request' ? `approval ${part.approvalId}` : undefined;
}
