import { isRecord } from '@toolfold/core/internal/tools/values';
import { duplicateOf, recordsOf } from '../request/index.ts';

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** freee/freee-mcp#15: the API's own words, with this pattern. Nested keys are not checked. */
const PROPERTY_KEY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Keywords that are refused at the root of a schema, in the words of anthropics/claude-code#5319. */
const NOT_AT_ROOT = ['oneOf', 'allOf', 'anyOf'];

/** Why the API would refuse the list of tools or the tool choice; undefined if it would not. */
export function toolsRefusal(body: Readonly<Record<string, unknown>>): string | undefined {
  const tools = recordsOf(body.tools);
  for (const [index, tool] of tools.entries()) {
    const refusal = definitionRefusal(tool, `tools.${index}`) ?? deferralRefusal(tool, index);
    if (refusal !== undefined) return refusal;
  }
  const names = tools.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  if (duplicateOf(names) !== undefined) return 'tools: Tool names must be unique.';
  if (tools.length > 0 && tools.every((tool) => tool.defer_loading === true)) {
    return 'tools: At least one tool must not have `defer_loading` set.';
  }
  const choice = body.tool_choice;
  if (isRecord(choice) && choice.type === 'tool' && !names.includes(String(choice.name))) {
    return `Tool '${choice.name}' not found in provided tools`;
  }
  return undefined;
}

/** Why the API would refuse a definition in `tools` or in a message; undefined if it would not. */
export function definitionRefusal(
  { type, name, input_schema: schema }: Record<string, unknown>,
  where: string,
): string | undefined {
  const custom = type === undefined || type === 'custom';
  if (typeof name === 'string' ? !TOOL_NAME.test(name) : custom) {
    return `${where}.custom.name: String should match pattern '${TOOL_NAME.source}'`;
  }
  return custom ? schemaRefusal(schema, `${where}.custom.input_schema`) : undefined;
}

function schemaRefusal(schema: unknown, where: string): string | undefined {
  if (!isRecord(schema) || schema.type !== 'object')
    return `${where}.type: Input should be 'object'`;
  if (NOT_AT_ROOT.some((keyword) => schema[keyword] !== undefined)) {
    return `${where}: input_schema does not support oneOf, allOf, or anyOf at the top level`;
  }
  const { properties } = schema;
  return isRecord(properties) && !Object.keys(properties).every((key) => PROPERTY_KEY.test(key))
    ? `${where}.properties: Property keys should match pattern '${PROPERTY_KEY.source}'`
    : undefined;
}

// Documented under "Tool search tool": a deferred tool cannot end a cached prefix and cannot be a
// search tool.
function deferralRefusal(tool: Record<string, unknown>, index: number): string | undefined {
  if (tool.defer_loading !== true) return undefined;
  if (isRecord(tool.cache_control)) {
    return `tools.${index}: \`cache_control\` cannot be set on a tool with \`defer_loading\`.`;
  }
  return String(tool.type).startsWith('tool_search_tool_')
    ? `tools.${index}: a tool search tool cannot have \`defer_loading\` set.`
    : undefined;
}
