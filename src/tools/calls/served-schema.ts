import { shownDefinition } from '../schema/index.ts';
import type { ToolDefinition } from '../tool/index.ts';
import { fingerprint, type JsonObject, own } from '../values/index.ts';
import { SHORTENED } from './refusals.ts';
import type { Scope } from './scope.ts';

/**
 * A definition in a result: the same bytes each time, with a fingerprint if it differs from the
 * first one that the conversation showed. It is whole if its `size` in tokens is at most twice
 * the limit of one answer. Otherwise it is shortened and says so.
 */
export function servedSchema(
  scope: Scope,
  definition: ToolDefinition,
  size: number,
): { schema: JsonObject; isChanged: boolean } {
  const { limits, countTokens } = scope;
  const { shown, isWhole } = shownDefinition(limits, countTokens, definition, size);
  const first = scope.conversation.firstShown.get(definition.name);
  const isChanged = first !== undefined && !isSame(first, shown);
  const mark = isChanged ? { fingerprint: fingerprint(definition) } : {};
  const note = isWhole ? {} : { schema_note: SHORTENED };
  return { schema: { ...shown, ...note, ...mark } as JsonObject, isChanged };
}

function isSame(shown: unknown, { description, parameters }: ToolDefinition): boolean {
  if (own(shown, 'fingerprint') !== undefined) return false;
  // A search hit is remembered without its description, because it shows only the start of it.
  const isHit = own(shown, 'name') === undefined;
  if (!isHit && own(shown, 'description') !== description) return false;
  return JSON.stringify(own(shown, 'parameters')) === JSON.stringify(parameters);
}
