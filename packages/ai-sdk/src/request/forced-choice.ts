import type { ToolRequest } from '@toolfold/core/internal/calls';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { narrowedChoiceOf } from '@toolfold/core/internal/models';
import { type ToolDefinition, withObjectRoot } from '@toolfold/core/internal/tool';
import { ownProperty } from '@toolfold/core/internal/values';
import type { LanguageModelV4CallOptions } from '../protocol/index.ts';
import { CALL_NOW, DEFINITION } from './segments.ts';

type ToolChoice = LanguageModelV4CallOptions['toolChoice'];

export interface ForcedChoice {
  readonly toolChoice: ToolChoice;
  /** A text at the tail that asks for the call. */
  readonly text?: string;
  /** The tool to declare from now on, in strategies that declare loaded tools. */
  readonly definition?: ToolDefinition;
  /** The tool to append, in strategies that append. */
  readonly appended?: ToolDefinition;
}

const REQUIRED: ToolChoice = { type: 'required' };

/**
 * Handles a forced call of one tool. Providers refuse to force a tool that is not declared: then the
 * dispatcher is forced, or the tool is declared, or appended if that is possible without a load. A text at
 * the tail names the tool. Some providers answer a choice by name with requests that declare this tool
 * alone, which would lose the cached prefix: they get `required` and the text. Rejects only when the
 * signal aborts.
 */
export async function forceChoice(
  turn: ToolRequest,
  params: LanguageModelV4CallOptions,
  model: { readonly provider: string; readonly modelId: string },
  appendable: (tool: ToolDefinition) => ToolDefinition | undefined,
): Promise<ForcedChoice> {
  const { toolChoice, abortSignal: signal } = params;
  if (toolChoice?.type !== 'tool') return { toolChoice };
  const { toolName } = toolChoice;
  const byName = (name: string): ToolChoice =>
    isEnforced(model, params) ? { type: 'tool', toolName: name } : REQUIRED;
  const { tools } = turn.presentation;
  const named = byName(toolName);
  const isDeclared = tools.some((tool) => tool.name === toolName);
  const definition = isDeclared ? undefined : await turn.define(toolName, signal ? { signal } : {});
  checkForced(turn, toolChoice);
  // Declared, or no tool of the layer.
  if (!definition)
    return named === REQUIRED ? { toolChoice: named, text: callNow(toolName) } : { toolChoice };
  const { strategy } = turn.epoch;
  if (strategy.delivers === 'tools')
    return named === REQUIRED
      ? { toolChoice: named, definition, text: callNow(definition.name) }
      : { toolChoice, definition };
  if (strategy.delivers === 'append')
    return forceAppended(turn, definition, appendable(definition));
  const dispatcher = turn.dispatcher();
  if (dispatcher === undefined) return { toolChoice: REQUIRED };
  const how = `through ${dispatcher}`;
  const text = callNow(definition.name, how, `${DEFINITION}${JSON.stringify(definition)}`);
  return { toolChoice: byName(dispatcher), text };
}

/** Throws `invalid-option` where the choice names a tool that cannot be declared, and so cannot be called. */
export function checkForced(turn: ToolRequest, toolChoice: ToolChoice): void {
  if (toolChoice?.type !== 'tool') return;
  const refusal = turn.refusalOf(toolChoice.toolName);
  if (refusal === undefined) return;
  throw new ToolfoldError(
    'invalid-option',
    `\`toolChoice\` asks for "${toolChoice.toolName}", and ${refusal}.`,
    'Choose another tool, or leave out `strategy`: then it is called through another tool.',
  );
}

/** Appends the tool if the conversation does not have it yet. A text at the tail asks for the call. */
function forceAppended(
  turn: ToolRequest,
  definition: ToolDefinition,
  appended: ToolDefinition | undefined,
): ForcedChoice {
  const json = JSON.stringify(withObjectRoot(definition));
  const { deliveries } = turn.presentation;
  const delivered = deliveries
    .flatMap(({ tools }) => tools)
    .findLast(({ name }) => name === definition.name);
  const isThere = delivered !== undefined && JSON.stringify(delivered) === json;
  const shown = isThere || appended ? '' : `${DEFINITION}${json}`;
  const text = callNow(definition.name, undefined, shown);
  // The tool is not among those that are declared, so no provider can force it by name.
  const forced = { toolChoice: REQUIRED, text };
  return isThere || !appended ? forced : { ...forced, appended };
}

function callNow(name: string, how?: string, definition = ''): string {
  const through = how === undefined ? '' : `, ${how}`;
  return `${CALL_NOW}${name} now${through}.${definition}]`;
}

/** Whether the provider enforces a choice by name and declares all tools in this request. */
function isEnforced(
  model: { readonly provider: string; readonly modelId: string },
  { providerOptions, reasoning, responseFormat }: LanguageModelV4CallOptions,
): boolean {
  const narrows = narrowedChoiceOf(model);
  if (narrows !== 'thinking or JSON') return narrows === undefined;
  const thinks = Object.values(providerOptions ?? {}).some((options) => {
    const type = ownProperty(ownProperty(options, 'thinking'), 'type');
    return type !== undefined && type !== 'disabled';
  });
  const isReasoning =
    reasoning !== undefined && reasoning !== 'none' && reasoning !== 'provider-default';
  return !thinks && !isReasoning && responseFormat?.type !== 'json';
}
