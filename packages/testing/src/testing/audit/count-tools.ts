import { definitionTokens } from '@toolfold/core/internal/tools/tokens';
import type { TokenCounter } from '@toolfold/core/internal/tools/tool';
import { isRecord } from '@toolfold/core/internal/tools/values';
import {
  deferredDefinitions,
  loadedTools,
  recordsOf,
  shownNames,
  toolChanges,
} from '../../wire/index.ts';
import type { FormattedRequest } from './blocks.ts';

type Tool = Record<string, unknown>;

/** Tokens of the definitions that a request declares in `tools`, without deferred ones. */
export function declaredTokens({ body }: FormattedRequest, countTokens: TokenCounter): number {
  return sum(inSight(body.tools), countTokens);
}

/**
 * Tokens of the definitions that the conversation of a request adds or refers to. Anthropic ignores a
 * definition that is already active, so each counts once there. For other providers a definition
 * counts each time it is sent.
 */
export function loadedTokens(
  { provider, body }: FormattedRequest,
  countTokens: TokenCounter,
): number {
  switch (provider) {
    case 'anthropic':
      return sum(shownDefinitions(body), countTokens);
    case 'openai-responses':
      return sum(recordsOf(body.input).flatMap(loadedTools), countTokens);
    case 'openai-chat':
      return sum(
        recordsOf(body.messages).flatMap((message) => recordsOf(message.tools)),
        countTokens,
      );
  }
}

function inSight(tools: unknown): Tool[] {
  return recordsOf(tools)
    .filter((tool) => tool.defer_loading !== true)
    .map((tool) => (tool.type === 'namespace' ? { ...tool, tools: inSight(tool.tools) } : tool));
}

function shownDefinitions(body: FormattedRequest['body']): Tool[] {
  const deferred = deferredDefinitions(body);
  const changes = toolChanges(body);
  const inForce = new Map<string, string>();
  const shown: Tool[] = [];
  const show = (name: string, definition: Tool): void => {
    const text = JSON.stringify({ ...definition, defer_loading: undefined });
    if (inForce.get(name) !== text) shown.push(definition);
    inForce.set(name, text);
  };
  for (const [index, message] of recordsOf(body.messages).entries()) {
    for (const name of recordsOf(message.content).flatMap(shownNames)) {
      const definition = deferred.get(name);
      if (definition !== undefined && !inForce.has(name)) show(name, definition);
    }
    for (const { message: at, definition } of changes) {
      if (at === index && definition !== undefined) show(String(definition.name), definition);
    }
  }
  return shown;
}

function sum(tools: readonly Tool[], countTokens: TokenCounter): number {
  return tools.reduce((total, tool) => total + toolTokens(tool, countTokens), 0);
}

function toolTokens(entry: Tool, countTokens: TokenCounter): number {
  if (entry.type === 'namespace') {
    const { name, description, tools } = entry;
    return countTokens(JSON.stringify({ name, description })) + sum(recordsOf(tools), countTokens);
  }
  const tool = isRecord(entry.function) ? entry.function : entry;
  const name = isClientSearch(entry) ? 'tool_search' : tool.name;
  const parameters = tool.input_schema ?? tool.parameters;
  if (typeof name !== 'string' || !isRecord(parameters)) return countTokens(JSON.stringify(entry));
  const { description } = tool;
  return definitionTokens(
    { name, ...(typeof description === 'string' && { description }), parameters },
    countTokens,
  );
}

function isClientSearch({ type, execution }: Tool): boolean {
  return type === 'tool_search' && execution === 'client';
}
