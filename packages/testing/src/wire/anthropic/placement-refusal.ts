import { recordsOf } from '../request/index.ts';
import { toolChanges } from './tool-change.ts';

/**
 * Why the API would refuse the position of a system message; undefined if it would not (docs,
 * "Mid-conversation system messages and tool changes"). Consecutive system messages count as one.
 * System messages without content are allowed anywhere.
 */
export function placementRefusal(body: Readonly<Record<string, unknown>>): string | undefined {
  const messages = recordsOf(body.messages);
  const changing = new Set(toolChanges(body).map(({ message }) => message));
  for (const [start, message] of messages.entries()) {
    const before = messages[start - 1];
    if (message.role !== 'system' || before?.role === 'system') continue;
    const next = messages.findIndex(({ role }, at) => at > start && role !== 'system');
    const end = next === -1 ? messages.length : next;
    if (!messages.slice(start, end).some(hasContent)) continue;
    const paused = before?.role === 'assistant' && endsInServerResult(before);
    if (before?.role !== 'user' && !paused) {
      return `messages.${start}: a system message must follow a user turn or an assistant turn that ends in a server tool result.`;
    }
    if (next !== -1 && messages[next]?.role !== 'assistant') {
      return `messages.${end - 1}: a system message must be the last or precede an assistant turn.`;
    }
    const change = messages.findIndex((_, at) => at >= start && at < end && changing.has(at));
    if (paused && change !== -1) {
      return `messages.${change}: tools cannot be changed right after a paused assistant turn.`;
    }
  }
  return undefined;
}

function hasContent({ content }: Record<string, unknown>): boolean {
  return typeof content === 'string' ? content !== '' : recordsOf(content).length > 0;
}

function endsInServerResult({ content }: Record<string, unknown>): boolean {
  return String(recordsOf(content).at(-1)?.type).endsWith('_tool_result');
}
