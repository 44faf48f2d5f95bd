import type { Limits } from '../tokens/index.ts';
import type { TokenCounter, ToolDefinition } from '../tool/index.ts';
import { truncate } from '../values/index.ts';
import { fitSchema } from './schema.ts';

/** The length of a description in a shortened definition, in characters. */
const DESCRIPTION_LENGTH = 4_000;

/** The part of a definition that a result contains, by its size in tokens, and whether it is whole. */
export function shownDefinition(
  limits: Limits,
  countTokens: TokenCounter,
  definition: ToolDefinition,
  size: number,
): { shown: ToolDefinition; isWhole: boolean } {
  if (size <= 2 * limits.load) return { shown: definition, isWhole: true };
  const { name, description } = definition;
  const { schema: parameters } = fitSchema(definition.parameters, limits.load, countTokens);
  const shown =
    description === undefined
      ? { name, parameters }
      : { name, description: truncate(description, DESCRIPTION_LENGTH), parameters };
  return { shown, isWhole: false };
}
