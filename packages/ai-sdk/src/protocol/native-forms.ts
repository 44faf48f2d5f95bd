import type { NativeForm } from '@toolfold/core/internal/models';
import {
  definitionTokens,
  type TokenCounter,
  type ToolDefinition,
} from '@toolfold/core/internal/tool';
import { isRecord, listIn, ownProperty } from '@toolfold/core/internal/values';
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from './language-model.ts';
import {
  anthropicInline,
  anthropicReference,
  anthropicSearch,
  systemTools,
} from './native-anthropic.ts';
import type { NativeWriter } from './native-form.ts';
import { openaiAdditional, openaiSearch } from './native-openai.ts';

/** Every form of `native`. To add a form, write a writer, a line here, and rows in `models/table/capabilities.ts`. */
export const WRITERS: Readonly<Record<NativeForm, NativeWriter>> = {
  'anthropic-inline': anthropicInline,
  'anthropic-reference': anthropicReference,
  'anthropic-search': anthropicSearch,
  'openai-additional': openaiAdditional,
  'openai-search': openaiSearch,
  'system-tools': systemTools,
};

/** The writer for the form of an epoch, by the id of the form. */
export function writerOf(id: string | undefined): NativeWriter | undefined {
  return Object.values(WRITERS).find((writer) => writer.append.id === id);
}

/** Counts the tokens of the definitions that a message appends or refers to, in what `addedBy` gives. */
export function addedCounter(
  { tools = [] }: LanguageModelV4CallOptions,
  countTokens: TokenCounter,
): (added: readonly (readonly unknown[])[]) => number[] {
  const declared = new Map(tools.map((tool) => [tool.name, tool as unknown]));
  const tokens = (entry: unknown): number => {
    const tool = typeof entry === 'string' ? declared.get(entry) : entry;
    if (ownProperty(tool, 'type') === 'namespace') {
      const { name, description } = tool as { name: string; description: string };
      return (
        countTokens(JSON.stringify({ name, description })) + sum(listIn(tool, 'tools'), tokens)
      );
    }
    const definition = definitionOf(tool);
    return definition ? definitionTokens(definition, countTokens) : 0;
  };
  return (added) => added.map((list) => sum(list, tokens));
}

/** The name of OpenAI's own search tool, if it is declared. */
export function searchToolOf(tools: LanguageModelV4CallOptions['tools']): string | undefined {
  return tools?.find((tool) => tool.type === 'provider' && tool.id === 'openai.tool_search')?.name;
}

/**
 * What a message of the wire prompt appends, or each part of a message with results: names of deferred tools, or definitions
 * in the form of a provider. `search`: OpenAI's own search tool.
 */
export function addedBy(message: LanguageModelV4Message, search: string | undefined): unknown[][] {
  if (message.role === 'system') {
    const { providerOptions: options } = message;
    const changed = listIn(ownProperty(options, 'anthropic'), 'toolChanges').map(
      (change) => ownProperty(change, 'tool') ?? ownProperty(change, 'toolName'),
    );
    const additional = listIn(ownProperty(options, 'openai'), 'additionalTools');
    const functions = listIn(ownProperty(options, 'openaiCompatible'), 'tools').map((tool) =>
      ownProperty(tool, 'function'),
    );
    return [[...changed, ...additional, ...functions]];
  }
  if (message.role !== 'tool') return [[]];
  return message.content.map((part) => {
    if (part.type !== 'tool-result') return [];
    const { output } = part;
    if (output.type === 'content')
      return output.value.map((item) =>
        ownProperty(ownProperty(item.providerOptions, 'anthropic'), 'toolName'),
      );
    return part.toolName === search && output.type === 'json' ? listIn(output.value, 'tools') : [];
  });
}

function definitionOf(entry: unknown): ToolDefinition | undefined {
  const name = ownProperty(entry, 'name');
  const description = ownProperty(entry, 'description');
  const parameters = ownProperty(entry, 'inputSchema') ?? ownProperty(entry, 'parameters');
  if (typeof name !== 'string' || !isRecord(parameters)) return;
  return { name, ...(typeof description === 'string' ? { description } : {}), parameters };
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
