import { type Hide, hidden } from '@toolfold/core/internal/host';
import type { Tool } from '@toolfold/core/internal/tools/tool';
import { isRecord } from '@toolfold/core/internal/tools/values';

/** The tools that a loader returned, without secrets in their definitions. What they run stays as it is. */
export function hiddenTools(tools: readonly Tool[], hide: Hide): Tool[] {
  return tools.map((tool) => hiddenTool(tool, hide));
}

function hiddenTool(tool: Tool, hide: Hide): Tool {
  if (!isRecord(tool)) return tool;
  const changes: Record<string, unknown> = {};
  for (const key of ['name', 'description', 'annotations', 'meta'] as const) {
    const shown = hidden(tool[key], hide);
    if (!Object.is(shown, tool[key])) changes[key] = shown;
  }
  const inputSchema = hiddenSchema(tool.inputSchema, hide);
  if (inputSchema !== tool.inputSchema) changes.inputSchema = inputSchema;
  if (Object.keys(changes).length === 0) return tool;
  // A method of a class instance keeps its instance.
  const execute = tool.execute && { execute: tool.execute.bind(tool) };
  return { ...tool, ...changes, ...execute };
}

/** The schema as the model reads it. A validator of the app stays as it is. */
function hiddenSchema(schema: Tool['inputSchema'], hide: Hide): Tool['inputSchema'] {
  // A class of schemas may have it.
  const standard: unknown = isRecord(schema) ? Reflect.get(schema, '~standard') : undefined;
  if (!isRecord(standard)) return hidden(schema, hide);
  const converter = standard.jsonSchema;
  const input = isRecord(converter) ? converter.input : undefined;
  if (typeof input !== 'function') return schema;
  const shown = (...given: unknown[]) => hidden(Reflect.apply(input, converter, given), hide);
  return { '~standard': { ...standard, jsonSchema: { input: shown } } } as never;
}
