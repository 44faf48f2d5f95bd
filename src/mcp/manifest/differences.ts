import { canonicalJson } from '../../tools/values/index.ts';
import type { ListedTool } from '../connection/index.ts';

/** The names of the tools that differ between two lists. */
export interface Differences {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export function differences(
  before: readonly ListedTool[],
  after: readonly ListedTool[],
): Differences {
  const old = new Map(before.map((tool) => [tool.name, tool]));
  const now = new Set(after.map((tool) => tool.name));
  const isChanged = (tool: ListedTool): boolean => {
    const earlier = old.get(tool.name);
    return earlier !== undefined && canonicalJson(earlier) !== canonicalJson(tool);
  };
  return {
    added: after.filter((tool) => !old.has(tool.name)).map((tool) => tool.name),
    removed: before.filter((tool) => !now.has(tool.name)).map((tool) => tool.name),
    changed: after.filter(isChanged).map((tool) => tool.name),
  };
}
