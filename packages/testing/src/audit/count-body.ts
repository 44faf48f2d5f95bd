import { definitionTokens, type TokenCounter } from '@toolfold/core/internal/tool';
import { fileTokens, isRecord, ownProperties } from '@toolfold/core/internal/values';
import {
  deferredDefinitions,
  loadedTools,
  recordsOf,
  shownNames,
  toolChanges,
} from '../wire/index.ts';
import { type AuditableRequest, type FormattedRequest, formatted } from './blocks.ts';

/** The tokens of a recorded request, by section. */
export interface BodyTokens {
  readonly tools: number;
  /** Definitions that the conversation adds or refers to; left out if there are none. */
  readonly loaded?: number;
  readonly system: number;
  readonly messages: number;
  readonly total: number;
}

/**
 * Counts a recorded body in the same way as the token ledger counts a request before it is sent: each
 * declared or added tool as JSON of name, description and parameters (a deferred tool where it is
 * referred to), each system text, and in messages the texts of users and models, the names and inputs
 * of calls, and results; and files by stated figures. All are 0 for a request that cannot be read.
 */
export function countBody(given: AuditableRequest, countTokens: TokenCounter): BodyTokens {
  const request = formatted(given);
  if (request === undefined) return { tools: 0, system: 0, messages: 0, total: 0 };
  const { provider, body } = request;
  const sum = (texts: readonly string[]) =>
    texts.reduce((total, text) => total + (text === '' ? 0 : countTokens(text)), 0);
  const tools = declaredTokens(request, countTokens);
  const loaded = loadedTokens(request, countTokens);
  const entries = recordsOf(provider === 'openai-responses' ? body.input : body.messages);
  const system = sum([
    ...textsIn(body.system),
    ...entries.filter(isSystem).flatMap((entry) => textsIn(entry.content)),
  ]);
  const said = entries.filter((entry) => !isSystem(entry));
  const messages = sum(said.flatMap(entryTexts)) + said.reduce((all, one) => all + filesIn(one), 0);
  const total = tools + loaded + system + messages;
  return { tools, ...(loaded > 0 && { loaded }), system, messages, total };
}

function isSystem({ role }: Record<string, unknown>): boolean {
  return role === 'system' || role === 'developer';
}

function entryTexts(entry: Record<string, unknown>): string[] {
  if (entry.type === 'function_call') return [String(entry.name), String(entry.arguments)];
  if (entry.type === 'tool_search_call') return ['tool_search', JSON.stringify(entry.arguments)];
  if (entry.type === 'custom_tool_call') return [String(entry.name), String(entry.input)];
  if (entry.type === 'function_call_output' || entry.type === 'custom_tool_call_output')
    return [textsIn(entry.output).join('')];
  if (entry.type === 'reasoning') return recordsOf(entry.summary).map(({ text }) => String(text));
  if (entry.role === 'tool') return [textsIn(entry.content).join('')];
  const blocks = recordsOf(entry.content);
  const calls = [
    ...blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ name, input }) => [String(name), JSON.stringify(input)]),
    ...recordsOf(entry.tool_calls)
      .map((call) => (isRecord(call.function) ? call.function : {}))
      .map((target) => [String(target.name), String(target.arguments)]),
  ].flat();
  const thoughts = [
    ...(typeof entry.reasoning_content === 'string' ? [entry.reasoning_content] : []),
    ...blocks.filter(({ type }) => type === 'thinking').map(({ thinking }) => String(thinking)),
  ];
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => textsIn(content).join(''));
  const texts = textsIn(entry.content);
  return [
    ...thoughts,
    ...(entry.role === 'assistant' ? [texts.join('')] : texts),
    ...calls,
    ...results,
  ];
}

/** The tokens of the files in an entry, also those in results. */
function filesIn({ content, output }: Record<string, unknown>): number {
  return [...recordsOf(content), ...recordsOf(output)].reduce(
    (sum, block) => sum + (block.type === 'tool_result' ? filesIn(block) : blockTokens(block)),
    0,
  );
}

/** The tokens of a block that holds a file; 0 for others. */
function blockTokens(block: Record<string, unknown>): number {
  switch (block.type) {
    case 'image':
    case 'document': {
      const { media_type: type, data } = ownProperties(block.source);
      const kind = block.type === 'document' ? PDF : 'image/*';
      return fileTokens(typeof type === 'string' ? type : kind, textIn(data));
    }
    case 'image_url':
    case 'input_image':
    case 'video_url':
    case 'input_audio':
      return fileTokens('image/*');
    case 'file':
    case 'input_file': {
      const { file_data: given = '' } = ownProperties(block.file ?? block);
      const [head, data] = String(given).split(';base64,');
      return fileTokens(head?.replace(/^data:/, '') || PDF, data);
    }
    default:
      return 0;
  }
}

const PDF = 'application/pdf';

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return recordsOf(content).flatMap(({ type, text }) =>
    String(type).endsWith('text') && typeof text === 'string' ? [text] : [],
  );
}

type BodyTool = Record<string, unknown>;

/** Tokens of the definitions that a request declares in `tools`, without deferred ones. */
function declaredTokens({ body }: FormattedRequest, countTokens: TokenCounter): number {
  return sum(inSight(body.tools), countTokens);
}

/**
 * Tokens of the definitions that the conversation of a request adds or refers to. Anthropic ignores a
 * definition that is already active, so each counts once there. For other providers a definition
 * counts each time it is sent.
 */
function loadedTokens({ provider, body }: FormattedRequest, countTokens: TokenCounter): number {
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

function inSight(tools: unknown): BodyTool[] {
  return recordsOf(tools)
    .filter((tool) => tool.defer_loading !== true)
    .map((tool) => (tool.type === 'namespace' ? { ...tool, tools: inSight(tool.tools) } : tool));
}

function shownDefinitions(body: FormattedRequest['body']): BodyTool[] {
  const deferred = deferredDefinitions(body);
  const changes = toolChanges(body);
  const inForce = new Map<string, string>();
  const shown: BodyTool[] = [];
  const show = (name: string, definition: BodyTool): void => {
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

function sum(tools: readonly BodyTool[], countTokens: TokenCounter): number {
  return tools.reduce((total, tool) => total + toolTokens(tool, countTokens), 0);
}

function toolTokens(entry: BodyTool, countTokens: TokenCounter): number {
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

function isClientSearch({ type, execution }: BodyTool): boolean {
  return type === 'tool_search' && execution === 'client';
}
