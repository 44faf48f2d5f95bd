import { shownDefinition } from '../schema/index.ts';
import { tokensWithin } from '../tokens/index.ts';
import type { ToolDefinition } from '../tool/index.ts';
import { fingerprint, type JsonObject, ownProperty } from '../values/index.ts';
import { SHORTENED } from './refusals.ts';
import type { Scope } from './scope.ts';

/** A tool that an answer shows, under the name by which the answer calls it. */
export interface Showable {
  readonly label: string;
  readonly definition: ToolDefinition;
}

/** A tool and the size of its definition in tokens. */
type Sized<T extends Showable> = T & { readonly size: number };

/** The first tools whose definitions fit one answer together, at least one. */
export function fitting<T extends Showable>(scope: Scope, tools: readonly T[]): Sized<T>[] {
  const limit = scope.limits.load;
  const taken: Sized<T>[] = [];
  let tokens = 0;
  for (const tool of tools) {
    const size = tokensWithin(tool.definition, 2 * limit, scope.countTokens);
    tokens += size;
    if (tokens > limit && taken.length > 0) break;
    taken.push({ ...tool, size });
  }
  return taken;
}

/**
 * Definitions in a result: the same bytes each time, with a fingerprint if one differs from the
 * first one that the conversation showed. Each is whole if its size is at most twice the limit of
 * one answer. Otherwise it is shortened and says so. `changed`: the labels of those that differ.
 */
export function servedSchemas(
  { limits, countTokens, conversation }: Scope,
  tools: readonly Sized<Showable>[],
): { schemas: JsonObject[]; changed: string[] } {
  const changed: string[] = [];
  const schemas = tools.map(({ label, definition, size }) => {
    const { shown, isWhole } = shownDefinition(limits, countTokens, definition, size);
    const first = conversation.firstShown.get(definition.name);
    const isChanged = first !== undefined && !isSame(first, shown);
    if (isChanged) changed.push(label);
    const mark = isChanged ? { fingerprint: fingerprint(definition) } : {};
    const note = isWhole ? {} : { schema_note: SHORTENED };
    return { ...shown, ...note, ...mark } as JsonObject;
  });
  return { schemas, changed };
}

function isSame(shown: unknown, { description, parameters }: ToolDefinition): boolean {
  if (ownProperty(shown, 'fingerprint') !== undefined) return false;
  // A search hit is remembered without its description, because it shows only the start of it.
  const isHit = ownProperty(shown, 'name') === undefined;
  if (!isHit && ownProperty(shown, 'description') !== description) return false;
  return JSON.stringify(ownProperty(shown, 'parameters')) === JSON.stringify(parameters);
}
