import type { GroupRecord, Toolbox } from '../registry/index.ts';
import { definitionTokens } from '../tokens/index.ts';
import type { Entry, TokenCounter, ToolDefinition } from '../tool/index.ts';
import { TYPICAL_GROUP, TYPICAL_SCHEMA } from './auto.ts';
import type { Epoch } from './epoch.ts';

/** The tokens of definitions, by counter: a definition never changes. */
const sizes = new WeakMap<TokenCounter, WeakMap<ToolDefinition, number>>();

/** What a request may use. */
interface Usable {
  readonly tools: readonly Entry[];
  /** Whether it may use a group that names its tools only when it loads. */
  readonly group: (groupId: string) => boolean;
}

/**
 * The tokens of the schemas of usable tools that an epoch does not declare from the start. A schema that has not loaded counts as what its group reports, or as a typical one.
 */
export function deferredTokens(
  epoch: Epoch,
  toolbox: Toolbox,
  countTokens: TokenCounter,
  usable: Usable,
): number {
  if (epoch.strategy.defers === 'nothing') return 0;
  const { registry } = toolbox;
  const declared = new Set([...epoch.ownNames, ...epoch.groupTools.map(({ name }) => name)]);
  let tokens = 0;
  for (const entry of usable.tools) {
    if (declared.has(entry.name)) continue;
    const tool = toolbox.toolOf(entry);
    tokens += tool
      ? sizeOf(toolbox.definitionOf(entry, tool), countTokens)
      : unknownSize(registry.groups.get(entry.groupId ?? ''));
  }
  for (const { group, listed } of registry.groups.values()) {
    const { groupId, unavailable, schemaTokens } = group;
    if (listed.length > 0 || unavailable || toolbox.isLoaded(groupId)) continue;
    if (usable.group(groupId)) tokens += schemaTokens ?? TYPICAL_GROUP * TYPICAL_SCHEMA;
  }
  return Math.round(tokens);
}

/** The tokens of a schema that has not loaded. */
function unknownSize(record: GroupRecord | undefined): number {
  if (!record || record.group.unavailable) return 0;
  const { group, listed } = record;
  return group.schemaTokens === undefined ? TYPICAL_SCHEMA : group.schemaTokens / listed.length;
}

function sizeOf(definition: ToolDefinition, countTokens: TokenCounter): number {
  const known = sizes.get(countTokens) ?? new WeakMap<ToolDefinition, number>();
  sizes.set(countTokens, known);
  const size = known.get(definition) ?? definitionTokens(definition, countTokens);
  known.set(definition, size);
  return size;
}
