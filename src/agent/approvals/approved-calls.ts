import type { ModelMessage, ToolSet } from 'ai';
import { cannotRun, textOf } from '../../host/index.ts';
import type { Write } from '../entries/index.ts';
import { answeredCalls, openCalls } from '../state/index.ts';

/**
 * The results of approved calls whose tool cannot run. The SDK skips tools without `execute`, and providers refuse a
 * call without a result. `messages`: they end with the answers to approvals.
 */
export function lostCalls(messages: readonly ModelMessage[], tools: ToolSet): Write[] {
  const asked = answeredCalls(messages);
  if (asked.size === 0) return [];
  return openCalls(messages).flatMap(({ id, name }): Write[] => {
    if (!asked.has(id) || canRun(tools, name)) return [];
    const lost = cannotRun(name);
    return [['result', { id, name, error: String(lost.result.message), thrown: textOf(lost) }]];
  });
}

function canRun(tools: ToolSet, name: string): boolean {
  return Object.hasOwn(tools, name) && typeof tools[name]?.execute === 'function';
}
