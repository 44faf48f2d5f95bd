import { isRecord } from '../../tools/values/index.ts';
import { declaredTools, duplicateOf, recordsOf } from '../request/index.ts';

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

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
  return !isRecord(parameters) || parameters.type === 'object'
    ? undefined
    : `Invalid schema for function '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${parameters.type ?? 'None'}"'.`;
}
