import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ToolDefinition } from '../tools/tool.ts';
import type { Turn } from '../tools/turn.ts';

export interface ForcedChoice {
  readonly toolChoice: LanguageModelV4CallOptions['toolChoice'];
  /** Said at the tail, where the choice itself cannot be said in the provider's terms. */
  readonly text?: string;
  /** Declared from now on, in strategies that declare what is loaded. */
  readonly definition?: ToolDefinition;
}

/**
 * A forced call of a tool that is not declared. Providers refuse to force what they were not given,
 * so where a dispatcher stands in, some call is required and the tail says which; elsewhere the tool
 * is declared. Rejects only when the signal fires.
 */
export async function forceChoice(
  turn: Turn,
  toolChoice: LanguageModelV4CallOptions['toolChoice'],
  signal: AbortSignal | undefined,
): Promise<ForcedChoice> {
  if (toolChoice?.type !== 'tool') return { toolChoice };
  const { tools } = turn.presentation;
  if (tools.some((tool) => tool.name === toolChoice.toolName)) return { toolChoice };
  const definition = await turn.define(toolChoice.toolName, signal ? { signal } : {});
  if (!definition) return { toolChoice };
  const { strategy } = turn.epoch;
  if (strategy.delivers === 'tools') return { toolChoice, definition };
  const dispatcher = turn.dispatcher();
  if (dispatcher === undefined) return { toolChoice: { type: 'required' } };
  const schema = JSON.stringify(definition);
  const text = `[Notice from the application, not from the user: call ${definition.name} now, through ${dispatcher}. Its definition: ${schema}]`;
  return { toolChoice: { type: 'required' }, text };
}
