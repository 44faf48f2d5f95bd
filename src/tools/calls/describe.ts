import { tokensWithin } from '../tokens/index.ts';
import { cut, type JsonObject, own } from '../values/index.ts';
import { readNames, readRequest } from './arguments.ts';
import { type Answer, failure, ok, type Scope } from './scope.ts';
import { servedSchema } from './served-schema.ts';
import { findTarget } from './target.ts';

const MAX_NAMES = 10;

/** `tool_describe`: full schemas, nothing left out (see `servedSchema`); works for declared tools too. */
export async function describeTools(
  scope: Scope,
  input: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  const request = readRequest(input);
  const names = readNames(own(request, 'names')) ?? readNames(own(request, 'name'));
  if (names === undefined) {
    return failure({
      error: 'missing_name',
      message: 'Say which tool in `name`, or several in `names`.',
    });
  }
  const tools: JsonObject[] = [];
  const notFound: JsonObject[] = [];
  const omitted: string[] = names.slice(MAX_NAMES, 2 * MAX_NAMES).map((name) => cut(name, 80));
  const changed: string[] = [];
  let tokens = 0;
  for (const name of names.slice(0, MAX_NAMES)) {
    const target = await findTarget(scope, name, signal);
    if (!target.ok) {
      const { error, did_you_mean, candidates, message } = target.answer.result;
      const near = did_you_mean ?? candidates;
      notFound.push({
        name: cut(name, 80),
        error: error ?? 'unknown_tool',
        message: message ?? '',
        ...(near === undefined ? {} : { did_you_mean: near }),
      });
      continue;
    }
    const definition = scope.toolbox.definitionOf(target.entry, target.tool);
    const size = tokensWithin(definition, 2 * scope.limits.load, scope.countTokens);
    tokens += size;
    if (tokens > scope.limits.load && tools.length > 0) {
      omitted.push(definition.name);
      continue;
    }
    const { schema, isChanged } = servedSchema(scope, definition, size);
    if (isChanged) changed.push(definition.name);
    tools.push(schema);
  }
  const result: JsonObject = {
    tools,
    not_found: notFound,
    ...(changed.length > 0 ? { changed } : {}),
    ...(omitted.length > 0 ? { omitted, next: 'Ask for the omitted ones in another call.' } : {}),
  };
  return tools.length > 0 ? ok(result) : failure(result);
}
