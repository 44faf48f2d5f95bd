import { recordsOf } from '../request/index.ts';

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
