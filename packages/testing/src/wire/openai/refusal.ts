import type { IssuedCalls } from '../format/index.ts';
import { recordsOf } from '../request/index.ts';
import { loadingRefusal } from './loading-refusal.ts';
import { toolMessagesRefusal } from './tool-messages-refusal.ts';
import { toolsRefusal } from './tools-refusal.ts';

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
