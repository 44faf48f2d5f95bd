import type { TokenCounter } from '../../tools/tool/index.ts';
import { isRecord } from '../../tools/values/index.ts';
import { recordsOf } from '../../wire/index.ts';
import { type AuditableRequest, formatted } from './blocks.ts';
import { declaredTokens, loadedTokens } from './count-tools.ts';

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
 * of calls, and results. Files are not counted. All are 0 for a request that cannot be read.
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
  const messages = sum(entries.filter((entry) => !isSystem(entry)).flatMap(entryTexts));
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

function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return recordsOf(content).flatMap(({ type, text }) =>
    String(type).endsWith('text') && typeof text === 'string' ? [text] : [],
  );
}
