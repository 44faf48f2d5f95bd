import { isRecord } from '../tools/json.ts';
import { declaredTools, duplicateOf, recordsOf } from './body-parts.ts';

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_CHAT_TOOLS = 128; // API reference, Chat Completions, `tools`

type Body = Readonly<Record<string, unknown>>;

/** OpenAI's error form. */
export function openaiError(status: number, message: string): unknown {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  const error = { message, type, param: null, code: null };
  if (status === 429) return { error: { ...error, type: 'rate_limit_exceeded' } };
  return { error };
}

/** Why OpenAI's Responses API would answer this body with 400, or nothing. */
export function responsesRefusal(body: Body): string | undefined {
  return toolRefusal(body, 'name') ?? responsesPairingRefusal(body);
}

/** Why OpenAI's Chat Completions would answer this body with 400, or nothing. */
export function chatRefusal(body: Body): string | undefined {
  const count = recordsOf(body.tools).length;
  if (count > MAX_CHAT_TOOLS) {
    return `Invalid 'tools': array too long. Expected an array with maximum length ${MAX_CHAT_TOOLS}, but got an array with length ${count} instead.`;
  }
  return toolRefusal(body, 'function.name') ?? chatPairingRefusal(body);
}

function toolRefusal(body: Body, field: string): string | undefined {
  const tools = declaredTools(body);
  for (const { index, name, tool } of tools) {
    const where = `'tools[${index}].${field}'`;
    if (name.length > 64) {
      return `Invalid ${where}: string too long. Expected a string with maximum length 64, but got a string with length ${name.length} instead.`;
    }
    if (!TOOL_NAME.test(name)) {
      return `Invalid ${where}: string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
    }
    const schema = tool.parameters;
    if (isRecord(schema) && schema.type !== 'object') {
      return `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${schema.type ?? 'None'}"'.`;
    }
  }
  const names = tools.map(({ name }) => name);
  const twice = duplicateOf(names);
  if (twice !== undefined) return `Tool names must be unique: '${twice}' is declared twice.`;
  const choice = body.tool_choice;
  if (!isRecord(choice) || choice.type !== 'function') return undefined;
  const chosen = isRecord(choice.function) ? choice.function : choice;
  return names.includes(String(chosen.name))
    ? undefined
    : `Tool choice '${chosen.name}' not found in 'tools' parameter.`;
}

// Calls that only the API's own store holds cannot be known here, so that where the request leans
// on the store no output is called stray.
function responsesPairingRefusal(body: Body): string | undefined {
  const items = recordsOf(body.input);
  const leansOnStore =
    body.previous_response_id !== undefined ||
    body.conversation !== undefined ||
    items.some((item) => item.type === 'item_reference' && isCallId(item.id));
  const ids = (type: string): string[] =>
    items.filter((item) => item.type === type).map((item) => String(item.call_id));
  const calls = ids('function_call');
  const outputs = ids('function_call_output');
  const missing = calls.find((id) => !outputs.includes(id));
  if (missing !== undefined) return `No tool output found for function call ${missing}.`;
  const stray = outputs.find((id) => !calls.includes(id));
  return stray === undefined || leansOnStore
    ? undefined
    : `No tool call found for function call output with call_id ${stray}.`;
}

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
