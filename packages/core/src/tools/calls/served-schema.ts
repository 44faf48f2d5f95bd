import { shownDefinition } from '../schema/index.ts';
import { tokensWithin } from '../tokens/index.ts';
import type { ToolDefinition } from '../tool/index.ts';
import type { Conversation, ShownSchema } from '../transcript/index.ts';
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
    const first = firstShown(conversation, definition.name);
    const isChanged = first !== undefined && !(isUnmarked(first) && isSame(first, shown));
    if (isChanged) changed.push(label);
    const mark = isChanged ? { fingerprint: fingerprint(definition) } : {};
    const note = isWhole ? {} : { schema_note: SHORTENED };
    return { ...shown, ...note, ...mark } as JsonObject;
  });
  return { schemas, changed };
}

/** The first whole schema that was shown of a tool; else the first hit. */
function firstShown({ shownSchemas }: Conversation, name: string): ShownSchema | undefined {
  const shown = shownSchemas.filter((schema) => schema.name === name);
  return shown.find(({ isWhole }) => isWhole) ?? shown[0];
}

function isUnmarked({ definition }: ShownSchema): boolean {
  return ownProperty(definition, 'fingerprint') === undefined;
}

/** Whether a schema that was shown is this definition. Of a hit, only the parameters were shown. */
function isSame(
  { definition, isWhole }: ShownSchema,
  { description, parameters }: ToolDefinition,
): boolean {
  if (isWhole && ownProperty(definition, 'description') !== description) return false;
  return JSON.stringify(ownProperty(definition, 'parameters')) === JSON.stringify(parameters);
}

/**
 * Whether a text between the messages has exactly this definition, so that the model need not read it twice.
 * Where only results append tools, the text alone does not make the tool one of the model's.
 */
export function isInTexts({ epoch, presentation }: Scope, definition: ToolDefinition): boolean {
  if (epoch.append?.onlyResults) return false;
  const name = JSON.stringify(definition.name);
  const named = presentation.inserts.filter(({ text }) => text.includes(name));
  return named.some(({ text }) => text.includes(JSON.stringify(definition)));
}

/**
 * Whether the parameters that the conversation showed last for this tool, in a text or a result, are those of this
 * definition. A recorded call does not count: nobody knows whether the model still sees its result.
 */
export function isShownLast(
  { conversation, presentation }: Scope,
  definition: ToolDefinition,
): boolean {
  const { name } = definition;
  const mark = `"name":${JSON.stringify(name)}`;
  const result = conversation.shownSchemas.findLast((schema) => schema.name === name);
  const at = result?.position ?? -1;
  const later = presentation.inserts.findLast(
    ({ position, text }) => position > at && text.includes(mark),
  );
  if (later) return later.text.includes(JSON.stringify(definition));
  return result !== undefined && at >= 0 && isSame(result, definition);
}
