import type { Make, Rule, SchemaKeywords } from './members.ts';
import { deepEqual, limit } from './rules-of-values.ts';
import type { CheckState, Validator } from './run.ts';

type Items = readonly unknown[];

/** The work to look at an item. */
const LOOK = 0.1;

const length = (items: Items) => items.length;
const summary = () => 'Items did not match schema.';
const summaryOfAdditional = () => 'Items did not match additional items schema.';
const summaryOfUnevaluated = () => 'Items did not match unevaluated items schema.';

/** The schemas of the first items, by position, and the one of all others. */
function positions(members: SchemaKeywords) {
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
function duplicates(items: Items, run: CheckState): readonly [number, number] | undefined {
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

type ObjectProperties = Readonly<Record<string, unknown>>;

/** The work to look up a name. */
const LOOK_AT_NAME = 0.1;

function namesOf(values: ObjectProperties, run: CheckState): readonly string[] {
  const names = Object.keys(values);
  run.spend(LOOK_AT_NAME * names.length);
  return names;
}

const required: Make<ObjectProperties> = (members) => {
  const names = members.list('required')?.map(String);
  if (!names) return;
  return (values, spot) => {
    spot.run.spend(LOOK_AT_NAME * names.length);
    for (const name of names)
      if (!Object.hasOwn(values, name))
        spot.report(`Instance does not have required property "${name}".`);
  };
};

const propertyNames: Make<ObjectProperties> = (members) => {
  const visit = members.schema('propertyNames');
  if (!visit) return;
  return (values, spot) => {
    for (const name of namesOf(values, spot.run)) visit(spot.child(name, name));
  };
};

/** A keyword that requires names, or a further schema, if the object has a name. */
function dependents(keyword: string): Make<ObjectProperties> {
  return (members) => {
    const all = Object.entries(members.named(keyword) ?? {}).map(([name, member]) =>
      Array.isArray(member)
        ? dependentNames(name, member)
        : dependentSchema(name, members.child(member, `${keyword}/${name}`)),
    );
    if (all.length === 0) return;
    return (values, spot, since) => {
      spot.run.spend(LOOK_AT_NAME * all.length);
      for (const rule of all) rule(values, spot, since);
    };
  };
}

function dependentNames(name: string, names: readonly string[]): Rule<ObjectProperties> {
  return (values, spot) => {
    if (!Object.hasOwn(values, name)) return;
    spot.run.spend(LOOK_AT_NAME * names.length);
    for (const other of names)
      if (!Object.hasOwn(values, other))
        spot.report(`Instance has "${name}" but does not have "${other}".`);
  };
}

function dependentSchema(name: string, visit: Validator): Rule<ObjectProperties> {
  return (values, spot) => {
    const first = spot.run.problems.length;
    if (Object.hasOwn(values, name) && !visit(spot))
      spot.report(`Instance has "${name}" but does not match dependant schema.`, false, first);
  };
}

/** `patternProperties`: each checks the members whose names match, and tells which these are. */
function byPattern(members: SchemaKeywords) {
  const patterns = Object.entries(members.named('patternProperties') ?? {});
  return patterns.map(([pattern, source]) => {
    const at = `patternProperties/${pattern}`;
    const [visit, matches] = [members.child(source, at), members.matcher(pattern, at)];
    const summary = (name: string | number) =>
      `Property "${name}" matches pattern "${pattern}" but does not match associated schema.`;
    return { visit, matches, summary };
  });
}

/** The members of an object: `properties`, `patternProperties`, and the keyword for all others. */
const membersOf: Make<ObjectProperties> = (members) => {
  const known = members.properties();
  const patterns = byPattern(members);
  const additional = members.schema('additionalProperties');
  const rest = additional ?? members.schema('unevaluatedProperties');
  if (!known && patterns.length === 0 && !rest) return;
  const which = additional ? 'additional' : 'unevaluated';
  const summary = (name: string | number) =>
    `Property "${name}" does not match ${which} properties schema.`;
  return (values, spot, since) => {
    const { run } = spot;
    const names = known?.names && patterns.length === 0 && !rest ? [] : namesOf(values, run);
    const covered = new Set<string | number>();
    for (const name of known?.names ?? names) {
      run.spend(LOOK_AT_NAME);
      const visit = Object.hasOwn(values, name) ? known?.visitOf(name, run) : undefined;
      if (!visit) continue;
      covered.add(name);
      spot.checkMember(name, values[name], visit);
    }
    for (const { visit, matches, summary } of patterns)
      for (const name of names)
        if (matches(name, run)) {
          covered.add(name);
          spot.checkMember(name, values[name], visit, summary);
        }
    if (!rest) return;
    run.spend(LOOK_AT_NAME * ((spot.evaluated?.length ?? since) - since));
    const done = additional ? covered : new Set(spot.evaluated?.slice(since));
    run.doubt++;
    for (const name of names)
      if (!done.has(name)) spot.checkMember(name, values[name], rest, summary);
    run.doubt--;
  };
};

const count = (values: ObjectProperties, run: CheckState) => namesOf(values, run).length;

export const ofObjects: readonly Make<ObjectProperties>[] = [
  required,
  limit(
    'minProperties',
    count,
    (n, set) => n < set && `Instance does not have at least ${set} properties.`,
  ),
  limit('maxProperties', count, (n, set) => n > set && `Instance has more than ${set} properties.`),
  propertyNames,
  dependents('dependentRequired'),
  dependents('dependentSchemas'),
  dependents('dependencies'),
  membersOf,
];
