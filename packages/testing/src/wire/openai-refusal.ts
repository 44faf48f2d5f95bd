import { isRecord } from '@toolfold/core/internal/values';
import {
  declaredSearch,
  definitionsRefusal,
  loadedTools,
  namespacesOf,
  toolNames,
  toolsRefusal,
} from './openai-tools.ts';
import { recordsOf } from './recorded-request.ts';
import type { IssuedCalls } from './wire-format.ts';

const MAX_CHAT_TOOLS = 128; // API reference, Chat Completions, `tools`

type Body = Readonly<Record<string, unknown>>;

/** An error body in OpenAI's form. */
export function openaiError(status: number, message: string): unknown {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  const error = { message, type, param: null, code: null };
  if (status === 429) return { error: { ...error, type: 'rate_limit_exceeded' } };
  return { error };
}

/** Why OpenAI's Responses API would answer this request with 400; undefined if it would not. */
export function responsesRefusal(
  { body }: { readonly body: Body },
  issued: IssuedCalls,
): string | undefined {
  return toolsRefusal(body) ?? loadingRefusal(body, issued) ?? responsesPairingRefusal(body);
}

/** Why OpenAI's Chat Completions would answer this request with 400; undefined if it would not. */
export function chatRefusal({ body }: { readonly body: Body }): string | undefined {
  const count = recordsOf(body.tools).length;
  if (count > MAX_CHAT_TOOLS) {
    return `Invalid 'tools': array too long. Expected an array with maximum length ${MAX_CHAT_TOOLS}, but got an array with length ${count} instead.`;
  }
  return toolsRefusal(body) ?? toolMessagesRefusal(body) ?? chatPairingRefusal(body);
}

// Calls in the API's store are not known here. If the request refers to the store, no output is refused
// as unknown.
function responsesPairingRefusal(body: Body): string | undefined {
  const items = recordsOf(body.input);
  const usesStore =
    body.previous_response_id !== undefined ||
    body.conversation !== undefined ||
    items.some((item) => item.type === 'item_reference' && isCallId(item.id));
  const ids = (type: string): string[] =>
    items.filter((item) => item.type === type).map((item) => String(item.call_id));
  for (const [type, words] of PAIRED) {
    const calls = ids(type);
    const outputs = ids(`${type}_output`);
    const missing = calls.find((id) => !outputs.includes(id));
    if (missing !== undefined) return `No tool output found for ${words} ${missing}.`;
    const stray = outputs.find((id) => !calls.includes(id));
    if (stray !== undefined && !usesStore)
      return `No tool call found for ${words} output with call_id ${stray}.`;
  }
  return undefined;
}

/** Items that need an output of the same kind, with their names in the API's messages. */
const PAIRED = [
  ['function_call', 'function call'],
  ['custom_tool_call', 'custom tool call'],
] as const;

function isCallId(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith('fc_');
}

function chatPairingRefusal(body: Body): string | undefined {
  let pending: string[] = [];
  for (const message of [...recordsOf(body.messages), { role: 'end' }]) {
    if (message.role === 'tool') {
      const id = String(message.tool_call_id);
      if (!pending.includes(id)) {
        return "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
      }
      pending = pending.filter((other) => other !== id);
    } else if (pending.length > 0) {
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${pending.join(', ')}`;
    } else {
      pending = recordsOf(message.tool_calls).map((call) => String(call.id));
    }
  }
  return undefined;
}

type ResponsesBody = Readonly<Record<string, unknown>>;

/**
 * Why the Responses API would refuse the tools that the input loads; undefined if it would not. Checks
 * the definitions, the tool searches, and the namespaces of calls.
 */
function loadingRefusal(body: ResponsesBody, issued: IssuedCalls): string | undefined {
  const items = recordsOf(body.input);
  return (
    definitionRefusal(body, items) ??
    searchRefusal(body, items, issued) ??
    namespaceRefusal(body, items)
  );
}

function definitionRefusal(
  body: ResponsesBody,
  items: readonly Record<string, unknown>[],
): string | undefined {
  const declared = toolNames(body.tools);
  for (const [index, item] of items.entries()) {
    const where = `input[${index}]`;
    const additional = item.type === 'additional_tools';
    if (additional && item.role !== 'developer') {
      return `Invalid value: '${item.role}'. '${where}.role' must be 'developer'.`;
    }
    const taken = additional ? declared : [];
    const refusal = definitionsRefusal(loadedTools(item), `${where}.tools`, taken);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

// A call in the API's store is known if this server issued its item. The calls of a stored response or
// conversation are not known, so with these no output is refused as unknown.
function searchRefusal(
  body: ResponsesBody,
  items: readonly Record<string, unknown>[],
  issued: IssuedCalls,
): string | undefined {
  const execution = declaredSearch(body)?.execution ?? 'server';
  const outputs = items.filter((item) => item.type === 'tool_search_output');
  if (outputs.length > 0 && declaredSearch(body) === undefined) {
    return "A 'tool_search_output' item needs a 'tool_search' tool in 'tools'.";
  }
  const other = outputs.find((item) => item.execution !== execution);
  if (other !== undefined) {
    return `Invalid 'execution' of tool search output ${other.call_id}: expected '${execution}', as in 'tools'.`;
  }
  const calls = items.flatMap((item) => {
    if (item.type === 'item_reference') return issued.get(String(item.id)) ?? [];
    const client = item.type === 'tool_search_call' && item.execution === 'client';
    return client ? [String(item.call_id)] : [];
  });
  const answered = outputs.map((item) => String(item.call_id));
  const open = calls.find((id) => !answered.includes(id));
  if (open !== undefined) return `No tool search output found for tool search call ${open}.`;
  const inStore = body.previous_response_id !== undefined || body.conversation !== undefined;
  const stray = answered.find((id) => !calls.includes(id));
  return stray === undefined || inStore || execution === 'server'
    ? undefined
    : `No tool search call found for tool search output with call_id ${stray}.`;
}

function namespaceRefusal(
  body: ResponsesBody,
  items: readonly Record<string, unknown>[],
): string | undefined {
  const known = recordsOf(body.tools);
  for (const item of items) {
    known.push(...loadedTools(item));
    if (item.type !== 'function_call') continue;
    const namespaces = namespacesOf(item.name, known);
    if (namespaces.length > 0 && !namespaces.includes(String(item.namespace))) {
      return `Missing namespace for function call ${item.call_id}: '${item.name}' belongs to '${namespaces.join("', '")}'.`;
    }
  }
  return undefined;
}

// Moonshot's API accepts tools in a system message. OpenAI's API has no such field.
const TAKES_TOOLS = /kimi|moonshot/i;

/** Why a model would refuse the tools in a message of Chat Completions; undefined if it would not. */
function toolMessagesRefusal(body: Readonly<Record<string, unknown>>): string | undefined {
  const declared = toolNames(body.tools);
  for (const [index, { role, tools }] of recordsOf(body.messages).entries()) {
    if (tools === undefined) continue;
    const where = `messages[${index}].tools`;
    if (!TAKES_TOOLS.test(String(body.model))) return `Unknown parameter: '${where}'.`;
    if (role !== 'system') return `Invalid '${where}': only a system message may carry tools.`;
    if (!Array.isArray(tools) || !tools.every(isFunction)) {
      return `Invalid '${where}': expected a list of function definitions.`;
    }
    const refusal = definitionsRefusal(tools, where, declared);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function isFunction(entry: unknown): boolean {
  return (
    isRecord(entry) &&
    entry.type === 'function' &&
    isRecord(entry.function) &&
    typeof entry.function.name === 'string'
  );
}
