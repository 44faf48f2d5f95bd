import type { Make, Members, Rule } from './members.ts';
import { limit } from './rules-of-values.ts';
import type { Run, Visit } from './run.ts';

type Values = Readonly<Record<string, unknown>>;

/** The work to look up a name. */
const LOOK = 0.1;

function namesOf(values: Values, run: Run): readonly string[] {
  const names = Object.keys(values);
  run.spend(LOOK * names.length);
  return names;
}

const required: Make<Values> = (members) => {
  const names = members.list('required')?.map(String);
  if (!names) return;
  return (values, spot) => {
    spot.run.spend(LOOK * names.length);
    for (const name of names)
      if (!Object.hasOwn(values, name))
        spot.report(`Instance does not have required property "${name}".`);
  };
};

const propertyNames: Make<Values> = (members) => {
  const visit = members.schema('propertyNames');
  if (!visit) return;
  return (values, spot) => {
    for (const name of namesOf(values, spot.run)) visit(spot.child(name, name));
  };
};

/** A keyword that requires names, or a further schema, if the object has a name. */
function dependents(keyword: string): Make<Values> {
  return (members) => {
    const all = Object.entries(members.named(keyword) ?? {}).map(([name, member]) =>
      Array.isArray(member)
        ? dependentNames(name, member)
        : dependentSchema(name, members.child(member, `${keyword}/${name}`)),
    );
    if (all.length === 0) return;
    return (values, spot, since) => {
      spot.run.spend(LOOK * all.length);
      for (const rule of all) rule(values, spot, since);
    };
  };
}

function dependentNames(name: string, names: readonly string[]): Rule<Values> {
  return (values, spot) => {
    if (!Object.hasOwn(values, name)) return;
    spot.run.spend(LOOK * names.length);
    for (const other of names)
      if (!Object.hasOwn(values, other))
        spot.report(`Instance has "${name}" but does not have "${other}".`);
  };
}

function dependentSchema(name: string, visit: Visit): Rule<Values> {
  return (values, spot) => {
    const first = spot.run.problems.length;
    if (Object.hasOwn(values, name) && !visit(spot))
      spot.report(`Instance has "${name}" but does not match dependant schema.`, false, first);
  };
}

/** `patternProperties`: each checks the members whose names match, and tells which these are. */
function byPattern(members: Members) {
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
const membersOf: Make<Values> = (members) => {
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
      run.spend(LOOK);
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
    run.spend(LOOK * ((spot.evaluated?.length ?? since) - since));
    const done = additional ? covered : new Set(spot.evaluated?.slice(since));
    run.doubt++;
    for (const name of names)
      if (!done.has(name)) spot.checkMember(name, values[name], rest, summary);
    run.doubt--;
  };
};

const count = (values: Values, run: Run) => namesOf(values, run).length;

export const ofObjects: readonly Make<Values>[] = [
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
