import { cannotRun, textOf } from '@toolfold/core/internal/host';
import type { ModelMessage, ToolSet } from 'ai';
import type { Write } from '../entries/index.ts';
import {
  answeredCalls,
  type ConversationState,
  NOT_APPROVED,
  NOT_RUN,
  openCalls,
  outputOf,
} from '../state/index.ts';
import { LEFT } from './call-log.ts';

type ResultWrite = Extract<Write, readonly ['result', unknown]>;

interface ClosingOptions {
  /** Whether a name is that of a real tool and not of a bridge tool. */
  readonly isReal: (name: string) => boolean;
  /** The reason of a call that has not started. It follows from the state if left out. */
  readonly reason?: string;
  /** Ids of calls that run later and stay open. */
  readonly waiting?: ReadonlySet<string>;
}

/**
 * The results of calls that are open and will not run: providers refuse a call without a result. A call that had
 * started may have taken effect.
 */
export function closings(
  state: ConversationState,
  { isReal, reason, waiting = new Set() }: ClosingOptions,
): ResultWrite[] {
  const why = reason ?? (state.toReplay ? NOT_RUN : NOT_APPROVED);
  return state.open.flatMap(({ id, name }): ResultWrite[] => {
    if (waiting.has(id)) return [];
    const isShown = isReal(name) || state.calls.has(id);
    const bridge = isShown ? {} : { isBridge: true as const };
    if (!state.runs.has(id)) return [['result', { id, name, error: why, denied: why, ...bridge }]];
    return [['result', { id, name, ...LEFT, ...bridge }]];
  });
}

/** The messages with the results that the next turn will give to open calls. */
export function closedMessages(
  state: ConversationState,
  options: ClosingOptions,
): readonly ModelMessage[] {
  const content = closings(state, options).map(([, result]) => {
    const { id: toolCallId, name: toolName } = result;
    return { type: 'tool-result' as const, toolCallId, toolName, output: outputOf(result, false) };
  });
  return content.length > 0 ? [...state.messages, { role: 'tool', content }] : state.messages;
}

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
