import { shownDefinition } from '../schema/index.ts';
import { fingerprint, type ToolDefinition, tokensWithin } from '../tool/index.ts';
import type { ShownSchema, TranscriptSummary } from '../transcript/index.ts';
import { type JsonObject, ownProperty, truncate } from '../values/index.ts';
import { callNow, failure, filled, missingName, ok, SHORTENED } from './refusals.ts';
import { type AnswerRoute, declaredAmong, type Scope } from './route.ts';
import { findTarget, readNames } from './target.ts';

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
function firstShown({ shownSchemas }: TranscriptSummary, name: string): ShownSchema | undefined {
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

const MAX_NAMES = 10;

/** `tool_describe`: full schemas, nothing left out (see `servedSchemas`); works for declared tools too. */
export async function describeTools(
  scope: Scope,
  request: JsonObject,
  signal?: AbortSignal,
): Promise<AnswerRoute> {
  const names = readNames(ownProperty(request, 'names')) ?? readNames(ownProperty(request, 'name'));
  if (names === undefined) return missingName('Say which tool in `name`, or several in `names`.');
  const found: Showable[] = [];
  const notFound: JsonObject[] = [];
  for (const name of names.slice(0, MAX_NAMES)) {
    const target = await findTarget(scope, name, signal);
    if (target.kind === 'found') {
      const definition = scope.toolbox.definitionOf(target.entry, target.tool);
      found.push({ label: definition.name, definition });
      continue;
    }
    const { error = 'unknown_tool', message = '', did_you_mean, candidates } = target.result;
    const near = did_you_mean ?? candidates;
    const hint: JsonObject = near === undefined ? {} : { did_you_mean: near };
    notFound.push({ name: truncate(name, 80), error, message, ...hint });
  }
  const fit = fitting(scope, found);
  const { schemas, changed } = servedSchemas(scope, fit);
  const tooMany = names.slice(MAX_NAMES, 2 * MAX_NAMES).map((name) => truncate(name, 80));
  const omitted = [...tooMany, ...found.slice(fit.length).map(({ label }) => label)];
  const result: JsonObject = {
    tools: schemas,
    not_found: notFound,
    ...filled({ changed, omitted }),
    ...callNow(
      declaredAmong(
        scope,
        found.map(({ label }) => label),
      ),
    ),
    ...(omitted.length > 0 ? { next: 'Ask for the omitted ones in another call.' } : {}),
  };
  return schemas.length > 0 ? ok(result) : failure(result);
}
