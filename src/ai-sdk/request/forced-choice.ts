import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Turn } from '../../tools/calls/index.ts';
import { declarable } from '../../tools/strategies/index.ts';
import type { ToolDefinition } from '../../tools/tool/index.ts';

export interface ForcedChoice {
  readonly toolChoice: LanguageModelV4CallOptions['toolChoice'];
  /** Said at the tail, where the choice itself cannot be said in the provider's terms. */
  readonly text?: string;
  /** Declared from now on, in strategies that declare what is loaded. */
  readonly definition?: ToolDefinition;
  /** Appended from here on, in strategies that append. */
  readonly appended?: ToolDefinition;
}

/**
 * A forced call of a tool that is not declared. Providers refuse to force what they were not given,
 * so where a dispatcher stands in, some call is required and the tail says which; elsewhere the tool
 * is declared, or appended where the request can append it without a call. Rejects only when the signal fires.
 */
export async function forceChoice(
  turn: Turn,
  toolChoice: LanguageModelV4CallOptions['toolChoice'],
  signal: AbortSignal | undefined,
  appendable: (tool: ToolDefinition) => ToolDefinition | undefined,
): Promise<ForcedChoice> {
  if (toolChoice?.type !== 'tool') return { toolChoice };
  const { tools } = turn.presentation;
  if (tools.some((tool) => tool.name === toolChoice.toolName)) return { toolChoice };
  const definition = await turn.define(toolChoice.toolName, signal ? { signal } : {});
  if (!definition) return { toolChoice };
  const { strategy } = turn.epoch;
  if (strategy.delivers === 'tools') return { toolChoice, definition };
  if (strategy.delivers === 'append')
    return forceAppended(turn, definition, appendable(definition));
  const dispatcher = turn.dispatcher();
  if (dispatcher === undefined) return { toolChoice: { type: 'required' } };
  const schema = JSON.stringify(definition);
  const text = `[Notice from the application, not from the user: call ${definition.name} now, through ${dispatcher}. Its definition: ${schema}]`;
  return { toolChoice: { type: 'required' }, text };
}

/** The tool is appended unless it stands there already, and the tail says that it is to be called. */
function forceAppended(
  turn: Turn,
  definition: ToolDefinition,
  appended: ToolDefinition | undefined,
): ForcedChoice {
  const json = JSON.stringify(declarable(definition) ?? definition);
  const { deliveries } = turn.presentation;
  const stands = deliveries
    .flatMap(({ tools }) => tools)
    .findLast(({ name }) => name === definition.name);
  const isThere = stands !== undefined && JSON.stringify(stands) === json;
  const shown = isThere || appended ? '' : ` Its definition: ${json}`;
  const text = `[Notice from the application, not from the user: call ${definition.name} now.${shown}]`;
  const toolChoice = { type: 'required' } as const;
  return isThere || !appended ? { toolChoice, text } : { toolChoice, text, appended };
}
