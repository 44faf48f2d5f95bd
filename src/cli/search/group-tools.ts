import { canonicalName, groupSlug } from '../../tools/names/index.ts';
import { type ExposureRules, placementOf, ruleList } from '../../tools/registry/index.ts';
import { parametersOf, toDefinition } from '../../tools/schema/index.ts';
import type { DeferredToolGroup, Tool } from '../../tools/tool/index.ts';
import type { FoundTool } from './ranker.ts';

/** The tools of the groups that models may see. Groups that cannot be used have none. */
export async function groupTools(
  groups: readonly DeferredToolGroup[],
  exposure: ExposureRules | undefined,
  signal: AbortSignal,
): Promise<FoundTool[]> {
  const rules = ruleList(exposure ?? {});
  const ready = groups.filter(({ unavailable }) => unavailable === undefined);
  const lists = await Promise.all(
    ready.map(async (group) => {
      const tools = await group.loader({ signal });
      return tools
        .filter(
          (tool) =>
            placementOf(entryOf(group, tool), tool, group.exposure, rules).exposure !== 'hidden',
        )
        .map((tool) => foundTool(group, tool));
    }),
  );
  return lists.flat();
}

function entryOf({ groupId }: DeferredToolGroup, { name, description, meta, exposure }: Tool) {
  const canonical = canonicalName(groupSlug(groupId), name);
  return {
    name: canonical,
    bare: name,
    shown: name,
    groupId,
    description,
    meta,
    exposure,
    appTool: undefined,
  };
}

function foundTool({ groupId }: DeferredToolGroup, tool: Tool): FoundTool {
  const group = groupId.replace(/^mcp:/, '');
  const { name, description = '' } = tool;
  const { parameters } = toDefinition(name, tool);
  return {
    ...{ id: `${group}/${name}`, name, group, description, parameters: parametersOf(parameters) },
    call: canonicalName(groupSlug(groupId), name),
  };
}
