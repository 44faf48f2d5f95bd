import { fingerprint } from '../hash.ts';
import { type JsonObject, own } from '../json.ts';
import { cut } from '../plain-text.ts';
import { fitSchema } from '../schema.ts';
import type { Limits, Scope } from '../scope.ts';
import type { TokenCounter, ToolDefinition } from '../tool.ts';
import { SHORTENED } from './refusals.ts';

/** Characters left of a description where a definition is shortened. */
const DESCRIPTION_LENGTH = 4_000;

/**
 * A definition as it stands in a result: the same bytes each time, with a fingerprint where it is not
 * what the conversation was first shown. Whole while its `size` in tokens is at most twice the limit
 * of one answer; shortened beyond that, and saying so.
 */
export function servedSchema(
  scope: Scope,
  definition: ToolDefinition,
  size: number,
): { schema: JsonObject; isChanged: boolean } {
  const { limits, countTokens } = scope;
  const { shown, isWhole } = shownDefinition(limits, countTokens, definition, size);
  const first = scope.folded.served.get(definition.name);
  const isChanged = first !== undefined && !isSame(first, shown);
  const mark = isChanged ? { fingerprint: fingerprint(definition) } : {};
  const note = isWhole ? {} : { schema_note: SHORTENED };
  return { schema: { ...shown, ...note, ...mark } as JsonObject, isChanged };
}

/** What a result holds of a definition of so many tokens, and whether that is all of it. */
export function shownDefinition(
  limits: Limits,
  countTokens: TokenCounter,
  definition: ToolDefinition,
  size: number,
): { shown: ToolDefinition; isWhole: boolean } {
  const isWhole = size <= 2 * limits.load;
  return { shown: isWhole ? definition : shorten(limits, countTokens, definition), isWhole };
}

function shorten(
  limits: Limits,
  countTokens: TokenCounter,
  definition: ToolDefinition,
): ToolDefinition {
  const { name, description } = definition;
  const { schema: parameters } = fitSchema(definition.parameters, limits.load, countTokens);
  return description === undefined
    ? { name, parameters }
    : { name, description: cut(description, DESCRIPTION_LENGTH), parameters };
}

function isSame(shown: unknown, { description, parameters }: ToolDefinition): boolean {
  if (own(shown, 'fingerprint') !== undefined) return false;
  // A search hit is remembered without the description, of which it shows only the beginning.
  const isHit = own(shown, 'name') === undefined;
  if (!isHit && own(shown, 'description') !== description) return false;
  return JSON.stringify(own(shown, 'parameters')) === JSON.stringify(parameters);
}
