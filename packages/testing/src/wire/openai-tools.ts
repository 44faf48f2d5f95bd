import { isRecord } from '@toolfold/core/internal/values';
import { declaredTools, duplicateOf, recordsOf } from './recorded-request.ts';

type Body = Readonly<Record<string, unknown>>;

/** The tools that an input item of the Responses API loads. Most items load none. */
export function loadedTools(item: Record<string, unknown>): Record<string, unknown>[] {
  return item.type === 'additional_tools' || item.type === 'tool_search_output'
    ? recordsOf(item.tools)
    : [];
}

/** The tool search that the request declares, if any. */
export function declaredSearch(body: Body): Record<string, unknown> | undefined {
  return recordsOf(body.tools).find((tool) => tool.type === 'tool_search');
}

/** The namespaces in which a function may be called. Empty if it is declared outside a namespace or not at all. */
export function namespacesOf(name: unknown, tools: readonly Record<string, unknown>[]): string[] {
  if (tools.some((tool) => tool.type !== 'namespace' && tool.name === name)) return [];
  return tools
    .filter((tool) => recordsOf(tool.tools).some((member) => member.name === name))
    .map((tool) => String(tool.name));
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Keywords that are refused at the root of a schema, in the words of langchain-ai/langchainjs#9804. */
const NOT_AT_ROOT = ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not'];

// Where the API looks for arrays without `items`: streamnative/streamnative-mcp-server#26 (properties),
// PrefectHQ/fastmcp#2464 (`anyOf`, and `prefixItems` instead of `items`).
const SCHEMAS_BY_NAME = ['properties', '$defs', 'definitions'];
const LISTS_OF_SCHEMAS = ['anyOf', 'oneOf', 'allOf'];
const SCHEMAS = ['items', 'additionalProperties'];

/** Why OpenAI would refuse the list of tools or the tool choice; undefined if it would not. */
export function toolsRefusal(body: Readonly<Record<string, unknown>>): string | undefined {
  const refusal = definitionsRefusal(body.tools, 'tools');
  if (refusal !== undefined) return refusal;
  const choice = body.tool_choice;
  if (!isRecord(choice) || choice.type !== 'function') return undefined;
  const chosen = isRecord(choice.function) ? choice.function : choice;
  return toolNames(body.tools).includes(String(chosen.name))
    ? undefined
    : `Tool choice '${chosen.name}' not found in 'tools' parameter.`;
}

/** Why OpenAI would refuse the list of definitions at `where`; undefined if it would not. */
export function definitionsRefusal(
  tools: unknown,
  where: string,
  taken: readonly string[] = [],
): string | undefined {
  for (const [index, entry] of recordsOf(tools).entries()) {
    const tool = isRecord(entry.function) ? entry.function : entry;
    const at = `${where}[${index}]`;
    const field = tool === entry ? 'name' : 'function.name';
    const refusal =
      nameRefusal(tool.name, `'${at}.${field}'`) ??
      schemaRefusal(tool) ??
      (tool.type === 'namespace' ? definitionsRefusal(tool.tools, `${at}.tools`) : undefined);
    if (refusal !== undefined) return refusal;
  }
  const twice = duplicateOf([...taken, ...toolNames(tools)]);
  return twice === undefined
    ? undefined
    : `Tool names must be unique: '${twice}' is declared twice.`;
}

/** The names in a list of tools, in order. The API's own tools have no name. */
export function toolNames(tools: unknown): string[] {
  return declaredTools({ tools }).map(({ name }) => name);
}

function nameRefusal(name: unknown, where: string): string | undefined {
  if (typeof name !== 'string') return undefined;
  if (name.length > 64) {
    return `Invalid ${where}: string too long. Expected a string with maximum length 64, but got a string with length ${name.length} instead.`;
  }
  return TOOL_NAME.test(name)
    ? undefined
    : `Invalid ${where}: string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`;
}

function schemaRefusal({ name, parameters }: Record<string, unknown>): string | undefined {
  if (!isRecord(parameters)) return undefined;
  const invalid = `Invalid schema for function '${name}':`;
  if (parameters.type !== 'object') {
    return `${invalid} schema must be a JSON Schema of 'type: "object"', got 'type: "${parameters.type ?? 'None'}"'.`;
  }
  if (NOT_AT_ROOT.some((keyword) => parameters[keyword] !== undefined)) {
    return `${invalid} schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.`;
  }
  const place = withoutItems(parameters);
  if (place === undefined) return undefined;
  const context = place.map((key) => `'${key}'`).join(', ');
  return `${invalid} In context=(${context}${place.length === 1 ? ',' : ''}), array schema missing items.`;
}

/** The keys that lead to the first array in a schema that does not say what its items are. */
function withoutItems(schema: unknown): readonly string[] | undefined {
  if (Array.isArray(schema) || !isRecord(schema)) return undefined;
  const { type, items } = schema;
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  if (isArray && items === undefined) return [];
  for (const [key, inner] of subschemas(schema)) {
    const found = withoutItems(inner);
    if (found !== undefined) return [...key, ...found];
  }
  return undefined;
}

/** The schemas right below a schema, each with the keys that lead to it. */
function subschemas(schema: Record<string, unknown>): [keys: string[], schema: unknown][] {
  return Object.entries(schema).flatMap(([keyword, value]): [string[], unknown][] => {
    if (SCHEMAS_BY_NAME.includes(keyword) && isRecord(value)) {
      return Object.entries(value).map(([name, inner]) => [[keyword, name], inner]);
    }
    if (LISTS_OF_SCHEMAS.includes(keyword) && Array.isArray(value)) {
      return value.map((inner, index) => [[keyword, String(index)], inner]);
    }
    return SCHEMAS.includes(keyword) ? [[[keyword], value]] : [];
  });
}
