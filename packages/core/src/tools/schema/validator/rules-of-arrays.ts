import { deepEqual } from './deep-equal.ts';
import type { Make, Members } from './members.ts';
import { limit } from './rules-of-values.ts';
import type { Run } from './run.ts';

type Items = readonly unknown[];

/** The work to look at an item. */
const LOOK = 0.1;

const length = (items: Items) => items.length;
const summary = () => 'Items did not match schema.';
const summaryOfAdditional = () => 'Items did not match additional items schema.';
const summaryOfUnevaluated = () => 'Items did not match unevaluated items schema.';

/** The schemas of the first items, by position, and the one of all others. */
function positions(members: Members) {
  const first = members.schemas('prefixItems') ?? [];
  const list = members.schemas('items');
  const byPosition = [...first, ...(list?.slice(first.length) ?? [])];
  const rest = members.schema(list ? 'additionalItems' : 'items');
  return { byPosition, rest, isAdditional: list !== undefined };
}

const itemsOf: Make<Items> = (members) => {
  const { byPosition, rest, isAdditional } = positions(members);
  if (byPosition.length === 0 && !rest) return;
  const doubt = isAdditional ? 1 : 0;
  return (items, spot) => {
    for (const [index, visit] of byPosition.slice(0, items.length).entries())
      spot.checkMember(index, items[index], visit, summary);
    if (!rest) return;
    spot.run.doubt += doubt;
    for (let index = byPosition.length; index < items.length; index++)
      spot.checkMember(index, items[index], rest, isAdditional ? summaryOfAdditional : summary);
    spot.run.doubt -= doubt;
  };
};

const unevaluatedItems: Make<Items> = (members) => {
  const visit = members.schema('unevaluatedItems');
  const { byPosition, rest } = positions(members);
  if (!visit || rest) return;
  return (items, spot, since) => {
    const { run, evaluated } = spot;
    run.spend(LOOK * (items.length + (evaluated?.length ?? 0) - since));
    const done = new Set(evaluated?.slice(since));
    run.doubt++;
    for (let index = byPosition.length; index < items.length; index++)
      if (!done.has(index)) spot.checkMember(index, items[index], visit, summaryOfUnevaluated);
    run.doubt--;
  };
};

const contains: Make<Items> = (members) => {
  const visit = members.schema('contains');
  if (!visit) return;
  const least = members.number('minContains');
  const most = members.number('maxContains');
  // Items that match count as evaluated from 2020-12 on.
  const isEvaluated = members.shared.draft !== '2019-09';
  return (items, spot) => {
    const { run } = spot;
    const all = items.length;
    if (all === 0 && least === undefined)
      return spot.report(
        'Array is empty. It must contain at least one item matching the schema.',
        false,
      );
    if (least !== undefined && all < least)
      return spot.report(`Array has less items (${all}) than minContains (${least}).`);
    const first = run.problems.length;
    run.doubt++;
    const found = [...items.keys()].filter((index) => visit(spot.child(index, items[index])));
    if (isEvaluated) for (const index of found) spot.evaluated?.push(index);
    run.doubt--;
    if (found.length >= (least ?? 0)) run.problems.length = first;
    const problem = problemOf(found.length, least, most);
    if (problem) spot.report(problem, false, least === undefined ? first : undefined);
  };
};

function problemOf(
  count: number,
  least: number | undefined,
  most: number | undefined,
): string | undefined {
  if (least === undefined && count === 0) return 'Array does not contain item matching schema.';
  if (least !== undefined && count < least)
    return `Array must contain at least ${least} items matching schema. Only ${count} items were found.`;
  if (most === undefined || count <= most) return;
  return `Array may contain at most ${most} items matching schema. ${count} items were found.`;
}

const uniqueItems: Make<Items> = (members) => {
  if (!members.value('uniqueItems')) return;
  return (items, spot) => {
    const pair = duplicates(items, spot.run);
    if (pair) spot.report(`Duplicate items at indexes ${pair[0]} and ${pair[1]}.`);
  };
};

/** The first item that occurs again, and where it does. */
function duplicates(items: Items, run: Run): readonly [number, number] | undefined {
  run.spend(LOOK * items.length);
  const lastIndexes = new Map(items.map((item, index) => [item, index]));
  for (const [index, item] of items.entries()) {
    const isPlain = typeof item !== 'object' || item === null;
    if (isPlain && lastIndexes.get(item) === index) continue;
    for (let other = index + 1; other < items.length; other++) {
      run.spend(LOOK);
      if (deepEqual(item, items[other], run)) return [index, other];
    }
  }
  return;
}

export const ofArrays: readonly Make<Items>[] = [
  limit('maxItems', length, (n, set) => n > set && `Array has too many items (${n} > ${set}).`),
  limit('minItems', length, (n, set) => n < set && `Array has too few items (${n} < ${set}).`),
  itemsOf,
  contains,
  unevaluatedItems,
  uniqueItems,
];
