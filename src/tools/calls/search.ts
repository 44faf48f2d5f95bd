import { tokensWithin } from '../tokens/index.ts';
import type { Entry } from '../tool/index.ts';
import { cut, type JsonObject, own, plainLine } from '../values/index.ts';
import { readRequest } from './arguments.ts';
import { namesNear } from './near-tools.ts';
import { type Answer, failure, ok, type Scope, visibleGroups } from './scope.ts';

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 20;
const MAX_QUERIES = 7;
const DESCRIPTION_LENGTH = 400;
/** After so many searches in a row, the answer points it out. */
const SEARCH_STREAK = 3;

/** `tool_search`: finds tools for one need or several, with schemas while they fit. */
export async function searchTools(
  scope: Scope,
  input: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  const request = readRequest(input);
  const list = own(request, 'queries');
  const queries = (Array.isArray(list) ? list : [own(request, 'query') ?? list])
    .map((query) => (typeof query === 'string' ? query.trim() : ''))
    .filter((query) => query !== '');
  const failed = await loadUnlisted(scope, signal);
  const available = [...scope.toolbox.registry.entries()].filter(findableBy(scope)).length;
  if (queries.length === 0) return missingQuery(scope, available);

  const find = await scope.toolbox.finder(signal);
  const shown: Shown = { left: scope.limits.search, schemas: new Map() };
  const results: JsonObject[] = [];
  for (const query of queries.slice(0, MAX_QUERIES)) {
    // Evaluated again for each query: loading the hits of one query may hide tools.
    const found = find(query.slice(0, 400), limitOf(request), findableBy(scope));
    const entries = found.map(({ entry }) => entry);
    const matches = await describeHits(scope, entries, shown, signal);
    const near = matches.length > 0 ? [] : namesNear(scope, query);
    results.push({
      query: cut(query, 200),
      matches,
      ...(near.length > 0 ? { did_you_mean: near } : {}),
    });
  }
  const nothing = results.every((result) => (result.matches as JsonObject[]).length === 0);
  const hint = hintFor(scope, nothing);
  const schemas = [...shown.schemas.values()];
  const notes = {
    ...(schemas.length > 0 ? { schemas } : {}),
    ...(queries.length > MAX_QUERIES ? { ignored_queries: queries.length - MAX_QUERIES } : {}),
    ...(failed.length > 0 ? { not_searched: failed } : {}),
    ...(hint ? { next: hint } : {}),
  };
  const [only] = results;
  return Array.isArray(list) || !only
    ? ok({ total_available: available, results, ...notes })
    : ok({ total_available: available, ...only, ...notes });
}

function findableBy(scope: Scope): (entry: Entry) => boolean {
  const visible = scope.toolbox.seenBy(scope.view);
  return (entry) => visible(entry) && !scope.isDeclared(entry);
}

/** Groups that do not list their names can only be searched once loaded. */
async function loadUnlisted(scope: Scope, signal?: AbortSignal): Promise<string[]> {
  const records = visibleGroups(scope).filter(
    ({ listed, group }) => listed.length === 0 && !group.unavailable,
  );
  const loads = records.map(({ group }) => scope.toolbox.load(group.groupId, signal));
  const settled = await Promise.allSettled(loads);
  signal?.throwIfAborted();
  return records
    .filter((_, index) => settled[index]?.status === 'rejected')
    .map(({ group }) => group.groupId)
    .slice(0, 10);
}

/** The schemas of one answer: the tokens that are left, and the schemas to append. */
interface Shown {
  left: number;
  readonly schemas: Map<string, JsonObject>;
}

async function describeHits(
  scope: Scope,
  found: readonly Entry[],
  shown: Shown,
  signal?: AbortSignal,
): Promise<JsonObject[]> {
  const { delivers } = scope.strategy;
  if (delivers !== 'tools') {
    const groups = new Set(found.flatMap((entry) => entry.groupId ?? []));
    await Promise.allSettled([...groups].map((groupId) => scope.toolbox.load(groupId, signal)));
    signal?.throwIfAborted();
  }
  const visible = findableBy(scope);
  // Checked again after loading: the server may lack a listed tool, or hide it now.
  const isThere = (entry: Entry) =>
    scope.toolbox.toolOf(entry) !== undefined || !scope.toolbox.isLoaded(entry.groupId ?? '');
  return found
    .filter((entry) => visible(entry) && isThere(entry))
    .map((entry) => {
      const tool = scope.toolbox.toolOf(entry);
      const description = tool?.description ?? entry.description;
      const match: JsonObject = {
        name: entry.name,
        ...(entry.groupId === undefined ? {} : { group: entry.groupId }),
        ...(description === undefined
          ? {}
          : { description: plainLine(description, DESCRIPTION_LENGTH) }),
      };
      if (!tool || delivers === 'tools' || shown.schemas.has(entry.name)) return match;
      const definition = scope.toolbox.definitionOf(entry, tool);
      const parameters = definition.parameters as JsonObject;
      const whole = delivers === 'append' ? definition : parameters;
      shown.left -= tokensWithin(whole, scope.limits.search, scope.countTokens);
      if (shown.left < 0) return match;
      if (delivers === 'result') return { ...match, parameters };
      shown.schemas.set(entry.name, { ...definition, parameters } as JsonObject);
      return match;
    });
}

function missingQuery(scope: Scope, available: number): Answer {
  const groups = visibleGroups(scope);
  return failure({
    error: 'missing_query',
    total_available: available,
    message: 'Say what you need in `query`.',
    groups: groups.slice(0, 5).map(({ group }) => group.groupId),
  });
}

function hintFor(scope: Scope, nothing: boolean): string | undefined {
  if (scope.conversation.searches >= SEARCH_STREAK) {
    return `${scope.conversation.searches + 1} searches in a row: call what comes closest, or tell the user what is missing.`;
  }
  return nothing
    ? 'Nothing matches. Try other words, or a name from the list of tools.'
    : undefined;
}

function limitOf(request: JsonObject): number {
  const limit = own(request, 'limit');
  return Number.isInteger(limit) ? Math.min(MAX_LIMIT, Math.max(1, Number(limit))) : DEFAULT_LIMIT;
}
