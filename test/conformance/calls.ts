import type { DeferredToolGroup, Tool } from '@toolfold/core';
import { ownProperty } from '../../packages/core/src/values/json.ts';
import type { Request } from './request.ts';

/** One call that a scenario asks for. */
export interface PlannedCall {
  readonly name: string;
  readonly input: unknown;
}

/** The tools of all groups, loaded as a host loads them. */
export async function toolsOf(
  groups: readonly DeferredToolGroup[],
  signal: AbortSignal,
): Promise<readonly Tool[]> {
  return (await Promise.all(groups.map((group) => group.loader({ signal })))).flat();
}

/**
 * The calls of a scenario: those that it names, else one call of each tool with arguments that fit its
 * schema. An argument `schema` gets the schema of another tool as it was received.
 */
export function plannedCalls(tools: readonly Tool[], { toolCalls }: Request): PlannedCall[] {
  if (toolCalls.length === 0) {
    return tools.map((tool) => ({ name: tool.name, input: sampleInput(tool, tools) }));
  }
  return toolCalls.map(({ name, arguments: input }) => ({ name, input }));
}

function sampleInput(tool: Tool, tools: readonly Tool[]): Record<string, unknown> {
  const properties = ownProperty(tool.inputSchema, 'properties') ?? {};
  const required = ownProperty(tool.inputSchema, 'required');
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(
    names.map((name) => {
      const other = tools.find((candidate) => candidate !== tool);
      if (name === 'schema' && other !== undefined) return [name, other.inputSchema];
      return [name, sampleValue(ownProperty(ownProperty(properties, name), 'type'))];
    }),
  );
}

function sampleValue(type: unknown): unknown {
  switch (type) {
    case 'number':
    case 'integer':
      return 7;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return 'sample';
  }
}
