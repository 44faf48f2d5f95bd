import type { ModelMessage, ToolSet } from 'ai';
import { cannotRun, textOf } from '../../host/index.ts';
import { answeredCalls, openCalls } from '../conversation/index.ts';
import type { AgentEvent } from '../events/index.ts';

type Failure = Extract<AgentEvent, { type: 'failure' }>;

/**
 * Adds an error result for each approved call whose tool cannot run. The SDK skips tools without
 * `execute`, and providers refuse a call without a result.
 */
export function withRunnable(
  messages: ModelMessage[],
  tools: ToolSet,
): { readonly messages: ModelMessage[]; readonly failures: readonly Failure[] } {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return { messages, failures: [] };
  const asked = answeredCalls(messages);
  const lost = openCalls(messages).filter(({ id, name }) => asked.has(id) && !canRun(tools, name));
  if (lost.length === 0) return { messages, failures: [] };
  const results = lost.map(({ id, name }) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: name,
    output: { type: 'error-text' as const, value: textOf(cannotRun(name)) },
  }));
  const failures = lost.map(({ id, name }): Failure => {
    return { type: 'failure', id, name, error: String(cannotRun(name).result.message) };
  });
  const answered = { ...last, content: [...last.content, ...results] };
  return { messages: [...messages.slice(0, -1), answered], failures };
}

function canRun(tools: ToolSet, name: string): boolean {
  return Object.hasOwn(tools, name) && typeof tools[name]?.execute === 'function';
}
