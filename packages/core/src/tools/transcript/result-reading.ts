import { isLegalName } from '../names/index.ts';
import type { BridgeKind } from '../strategies/index.ts';
import type { ToolDefinition } from '../tool/index.ts';
import { isRecord, listIn, ownProperties, ownProperty } from '../values/index.ts';
import type { Expansion, ShownSchema } from './transcript-state.ts';

/** The group and the names that a result says were loaded; undefined where it says nothing of the kind. */
export function expansionIn(
  output: unknown,
): Pick<Expansion, 'groupId' | 'toolNames' | 'whole'> | undefined {
  const { group_id: groupId, tool_names: names, expanded, remaining } = ownProperties(output);
  if (expanded !== true || typeof groupId !== 'string' || !Array.isArray(names)) return;
  const toolNames = names.filter((name) => typeof name === 'string');
  return { groupId, toolNames, whole: remaining === 0 };
}

/** The group that a result speaks of. */
export function claimIn(output: unknown): string | undefined {
  const groupId = ownProperty(output, 'group_id');
  return typeof groupId === 'string' ? groupId : undefined;
}

/** The definitions in a list, as they were served, without what was said beside them. */
export function definitionsIn(list: unknown): ToolDefinition[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => {
    const { name, description, parameters } = ownProperties(item);
    if (typeof name !== 'string' || !isLegalName(name) || !isRecord(parameters)) return [];
    return [{ name, ...(typeof description === 'string' ? { description } : {}), parameters }];
  });
}

type Schema = Omit<ShownSchema, 'claimedBy' | 'position'>;

/** The schemas that a bridge tool of this kind shows. */
export function schemasIn(kind: BridgeKind, output: unknown): Schema[] {
  if (kind === 'request_tool') return [];
  // The content decides: a form of `native` may give one bridge tool the name of another one.
  const whole = listIn(output, kind === 'tool_describe' ? 'tools' : 'schemas');
  const shown = whole.flatMap((item) => schemaIn(item, true));
  if (kind === 'tool_describe') return shown;
  const parts = [output, ...listIn(output, 'results')];
  const hits = parts.flatMap((part) => listIn(part, 'matches'));
  return [...shown, ...hits.flatMap((item) => schemaIn(item, false))];
}

/** Of a hit only the parameters: its description is cut, and does not tell whether the schema changed. */
function schemaIn(item: unknown, isWhole: boolean): Schema[] {
  const { name, parameters } = ownProperties(item);
  if (typeof name !== 'string' || !isRecord(parameters)) return [];
  return [{ name, isWhole, definition: isWhole ? item : { parameters } }];
}
