import type { Hit } from '../registry/index.ts';
import { signatureOf } from '../schema/index.ts';
import { type ToolEntry, tokensWithin } from '../tool/index.ts';
import { type JsonObject, ownProperty, plainLine, truncate } from '../values/index.ts';
import { isShownLast } from './describe.ts';
import { callNow, failure, filled, namesNear, ok } from './refusals.ts';
import { type AnswerRoute, findable, type Scope, unlistedGroups, visibleGroups } from './route.ts';

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 20;
const MAX_QUERIES = 7;
/** The most hits of a query that perhaps no tool fits. */
const MAX_DOUBTFUL = 3;
const DOUBT = 'Perhaps no tool fits.';
/** The most declared tools that an answer names. */
const MAX_DECLARED = 3;
const CUT = 'A query was too long: only its end, its requests and its beginning were read.';
const DESCRIPTION_LENGTH = 160;
/** After so many searches in a row, the answer points it out. */
const SEARCH_STREAK = 3;

/** One query and what it finds. */
interface QueryHits {
  readonly query: string;
  readonly hits: readonly Hit[];
  /** Whether only parts of the query were read. */
  readonly isCut: boolean;
  readonly matches: JsonObject[];
}

/** `tool_search`: finds tools for one need or several, with schemas while they fit. */
export async function searchTools(
  scope: Scope,
  request: JsonObject,
  signal?: AbortSignal,
): Promise<AnswerRoute> {
  // Models fill both, or one of them with nothing.
  const given = ownProperty(request, 'queries');
  const listed = Array.isArray(given) ? textsOf(given) : [];
  const single = textsOf([ownProperty(request, 'query'), given]);
  const queries = [...new Set([...single, ...listed])];
  const failed = await loadUnlisted(scope, signal);
  const available = findable(scope).length;
  if (queries.length === 0) return missingQuery(scope, available);

  const needs = await findAll(scope, queries.slice(0, MAX_QUERIES), limitOf(request), signal);
  const { schemas, above } = describe(scope, needs);
  const results = needs.map((need) => resultOf(scope, need));
  const hint = hintFor(scope, needs);
  const now = callNow(await declaredHits(scope, needs, signal));
  return ok({
    total_available: available,
    ...(listed.length > 0 || results.length > 1 ? { results } : results[0]),
    ...filled({ schemas, shown_before: above }),
    ...(queries.length > MAX_QUERIES ? { ignored_queries: queries.length - MAX_QUERIES } : {}),
    ...filled({ not_searched: failed }),
    ...now,
    ...(hint ? { next: hint } : {}),
  });
}

/** Declared tools that fit one of the needs. A search does not list them among what it finds. */
async function declaredHits(
  scope: Scope,
  needs: readonly QueryHits[],
  signal?: AbortSignal,
): Promise<string[]> {
  const { toolbox, view } = scope;
  const others = new Set(findable(scope).map(({ name }) => name));
  if (toolbox.visibleEntries(view).length === others.size) return [];
  const find = await toolbox.finder(signal);
  const hits = needs.flatMap(({ query }) => find(query, MAX_DECLARED, view, others));
  return [...new Set(hits.flatMap(({ entry, fits }) => (fits ? entry.name : [])))].slice(
    0,
    MAX_DECLARED,
  );
}

/** The texts among the values that say something. */
function textsOf(values: readonly unknown[]): string[] {
  const texts = values.map((value) => (typeof value === 'string' ? value.trim() : ''));
  return texts.filter((text) => text !== '');
}

/** Groups that do not list their names can only be searched once loaded. */
async function loadUnlisted(scope: Scope, signal?: AbortSignal): Promise<string[]> {
  const groupIds = unlistedGroups(scope);
  const loads = groupIds.map((groupId) => scope.toolbox.load(groupId, signal));
  const settled = await Promise.allSettled(loads);
  signal?.throwIfAborted();
  return groupIds.filter((_, index) => settled[index]?.status === 'rejected').slice(0, 10);
}

async function findAll(
  scope: Scope,
  queries: readonly string[],
  limit: number,
  signal?: AbortSignal,
): Promise<QueryHits[]> {
  const find = await scope.toolbox.finder(signal);
  await find.prepare(queries);
  const needs: QueryHits[] = [];
  for (const query of queries) {
    // One after the other: loading the hits of one query may hide tools.
    const hits = find(query, limit, scope.view, scope.declared);
    if (scope.epoch.strategy.delivers !== 'tools') {
      // A doubt is no reason to start a server.
      const fitting = hits.filter(({ fits }) => fits);
      const groups = new Set(fitting.flatMap(({ entry }) => entry.groupId ?? []));
      await Promise.allSettled([...groups].map((groupId) => scope.toolbox.load(groupId, signal)));
      signal?.throwIfAborted();
    }
    needs.push({ query, hits, isCut: find.isCut(query), matches: [] });
  }
  const visible = new Set(findable(scope).map(({ name }) => name));
  // Checked again after loading: the server may lack a listed tool, or hide it now.
  const isThere = (entry: ToolEntry) =>
    visible.has(entry.name) &&
    (scope.toolbox.toolOf(entry) !== undefined || !scope.toolbox.isLoaded(entry.groupId ?? ''));
  return needs.map((need) => ({
    ...need,
    hits: need.hits
      .filter(({ entry }) => isThere(entry))
      .map((hit) => ({ ...hit, twins: hit.twins.filter(isThere) })),
  }));
}

/**
 * Describes the hits rank by rank, so that each need gets schemas before one of them gets many. A tool
 * that is found for several needs is described once. Returns the schemas to append, and the names of the
 * tools whose schemas the conversation has already. These count too, so that the rest of an answer does not
 * depend on them.
 */
function describe(
  scope: Scope,
  needs: readonly QueryHits[],
): { schemas: JsonObject[]; above: string[] } {
  const { delivers } = scope.epoch.strategy;
  const isAppended = delivers === 'append';
  const limit = isAppended ? scope.limits.append : scope.limits.search;
  const described = new Set<string>();
  const schemas: JsonObject[] = [];
  const above: string[] = [];
  let left = limit;
  const most = Math.max(...needs.map(({ hits }) => hits.length));
  /** How a hit shows the parameters of its tool. */
  const shown = ({ entry, fits }: Hit): JsonObject => {
    const tool = scope.toolbox.toolOf(entry);
    if (!tool || delivers === 'tools') return {};
    const definition = scope.toolbox.definitionOf(entry, tool);
    const parameters = definition.parameters as JsonObject;
    const whole = isAppended ? definition : parameters;
    const size = fits ? tokensWithin(whole, limit, scope.countTokens) : limit + 1;
    if (size > left) return { signature: signatureOf(parameters) };
    left -= size;
    if (isAppended) schemas.push({ ...definition, parameters } as JsonObject);
    else if (isShownLast(scope, definition)) above.push(entry.name);
    else return { parameters };
    return {};
  };
  for (let rank = 0; rank < most; rank++) {
    for (const { hits, matches } of needs) {
      const hit = hits[rank];
      if (hit === undefined || (!hit.fits && rank >= MAX_DOUBTFUL)) continue;
      const { name } = hit.entry;
      matches.push(described.has(name) ? { name } : { ...lineOf(scope, hit), ...shown(hit) });
      described.add(name);
    }
  }
  return { schemas, above };
}

/** A hit in few words. */
function lineOf(scope: Scope, { entry, twins }: Hit): JsonObject {
  const text = scope.toolbox.toolOf(entry)?.description ?? entry.description;
  return {
    name: entry.name,
    ...(entry.groupId === undefined ? {} : { group: entry.groupId }),
    ...(text === undefined ? {} : { description: plainLine(text, DESCRIPTION_LENGTH) }),
    ...filled({ same_as: twins.slice(0, 10).map(({ name }) => name) }),
  };
}

function resultOf(scope: Scope, { query, hits, matches }: QueryHits): JsonObject {
  const shown = truncate(query, 200);
  if (hits[0]?.fits === false) return { query: shown, matches, doubt: DOUBT };
  const near = matches.length > 0 ? [] : namesNear(scope, query);
  return { query: shown, matches, ...filled({ did_you_mean: near }) };
}

function missingQuery(scope: Scope, available: number): AnswerRoute {
  const groups = visibleGroups(scope).slice(0, 5);
  return failure({
    error: 'missing_query',
    total_available: available,
    message: 'Say what you need in `query`.',
    groups: groups.map(({ group }) => group.groupId),
  });
}

function hintFor(scope: Scope, needs: readonly QueryHits[]): string | undefined {
  const isCut = needs.some((need) => need.isCut);
  const hints = [isCut ? CUT : undefined, adviceFor(scope, needs, isCut)];
  return hints.filter((hint) => hint !== undefined).join(' ') || undefined;
}

/** What to do next. */
function adviceFor(scope: Scope, needs: readonly QueryHits[], isCut: boolean): string | undefined {
  if (scope.conversation.searches >= SEARCH_STREAK) {
    return `${scope.conversation.searches + 1} searches in a row: call what comes closest, or tell the user what is missing.`;
  }
  if (isCut) return 'Ask for one need in two to six words.';
  if (needs.some(({ hits }) => hits[0]?.fits === false)) {
    return 'Where there is a `doubt`, use a match only if it does what you need. Else try other words once, or tell the user what is missing.';
  }
  return needs.every(({ hits }) => hits.length === 0)
    ? 'Nothing matches. Try other words, or a name from the list of tools.'
    : undefined;
}

function limitOf(request: JsonObject): number {
  const limit = ownProperty(request, 'limit');
  return Number.isInteger(limit) ? Math.min(MAX_LIMIT, Math.max(1, Number(limit))) : DEFAULT_LIMIT;
}
