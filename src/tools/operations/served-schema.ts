import { fingerprint } from '../hash.ts';
import { type JsonObject, own } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { ToolDefinition } from '../tool.ts';

/**
 * A definition as it stands in a result: the same bytes each time, with a fingerprint where it is not
 * what the conversation was first shown.
 */
export function servedSchema(
  scope: Scope,
  definition: ToolDefinition,
): { schema: JsonObject; isChanged: boolean } {
  const first = scope.folded.served.get(definition.name);
  const isChanged = first !== undefined && !isSame(first, definition);
  const mark = isChanged ? { fingerprint: fingerprint(definition) } : {};
  return { schema: { ...definition, ...mark } as JsonObject, isChanged };
}

function isSame(shown: unknown, { description, parameters }: ToolDefinition): boolean {
  if (own(shown, 'fingerprint') !== undefined) return false;
  // A search hit is remembered without the description, of which it shows only the beginning.
  const isHit = own(shown, 'name') === undefined;
  if (!isHit && own(shown, 'description') !== description) return false;
  return JSON.stringify(own(shown, 'parameters')) === JSON.stringify(parameters);
}
