import type { IssuedCalls } from '../format/index.ts';
import { recordsOf } from '../request/index.ts';
import { declaredSearch, loadedTools, namespacesOf } from './responses-tools.ts';
import { definitionsRefusal, toolNames } from './tools-refusal.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * Why the Responses API would refuse the tools that the input loads; undefined if it would not. Checks
 * the definitions, the tool searches, and the namespaces of calls.
 */
export function loadingRefusal(body: Body, issued: IssuedCalls): string | undefined {
  const items = recordsOf(body.input);
  return (
    definitionRefusal(body, items) ??
    searchRefusal(body, items, issued) ??
    namespaceRefusal(body, items)
  );
}

function definitionRefusal(
  body: Body,
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
  body: Body,
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
  body: Body,
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
