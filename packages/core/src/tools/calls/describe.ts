import { type JsonObject, ownProperty, truncate } from '../values/index.ts';
import { readNames } from './arguments.ts';
import { callNow, failure, filled, missingName, ok } from './refusals.ts';
import type { Reply } from './route.ts';
import { declaredAmong, type Scope } from './scope.ts';
import { fitting, type Showable, servedSchemas } from './served-schema.ts';
import { findTarget } from './target.ts';

const MAX_NAMES = 10;

/** `tool_describe`: full schemas, nothing left out (see `servedSchemas`); works for declared tools too. */
export async function describeTools(
  scope: Scope,
  request: JsonObject,
  signal?: AbortSignal,
): Promise<Reply> {
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
