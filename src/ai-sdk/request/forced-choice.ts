import type { Turn } from '../../tools/calls/index.ts';
import { declarable } from '../../tools/strategies/index.ts';
import type { ToolDefinition } from '../../tools/tool/index.ts';
import type { LanguageModelV4CallOptions } from '../protocol/index.ts';

export interface ForcedChoice {
  readonly toolChoice: LanguageModelV4CallOptions['toolChoice'];
  /** A text at the tail, if the provider's `toolChoice` cannot express the choice. */
  readonly text?: string;
  /** The tool to declare from now on, in strategies that declare loaded tools. */
  readonly definition?: ToolDefinition;
  /** The tool to append, in strategies that append. */
  readonly appended?: ToolDefinition;
}

/**
 * Handles a forced call of a tool that is not declared, because providers refuse to force it. With a
 * dispatcher, the request requires any call, and a text at the tail names the tool. In other
 * strategies the tool is declared, or appended if this is possible without a load. Rejects only when
 * the signal aborts.
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

/** Appends the tool if the conversation does not have it yet. A text at the tail asks for the call. */
function forceAppended(
  turn: Turn,
  definition: ToolDefinition,
  appended: ToolDefinition | undefined,
): ForcedChoice {
  const json = JSON.stringify(declarable(definition) ?? definition);
  const { deliveries } = turn.presentation;
  const delivered = deliveries
    .flatMap(({ tools }) => tools)
    .findLast(({ name }) => name === definition.name);
  const isThere = delivered !== undefined && JSON.stringify(delivered) === json;
  const shown = isThere || appended ? '' : ` Its definition: ${json}`;
  const text = `[Notice from the application, not from the user: call ${definition.name} now.${shown}]`;
  const toolChoice = { type: 'required' } as const;
  return isThere || !appended ? { toolChoice, text } : { toolChoice, text, appended };
}
