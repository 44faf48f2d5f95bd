import type { Make } from './members.ts';
import type { Spot, Visit } from './run.ts';

/** Checks the value of a spot by a further schema. If that fails, the members it evaluated do not count. */
function attempt(spot: Spot, visit: Visit): boolean {
  const evaluated = spot.evaluated?.length ?? 0;
  const isValid = visit(spot);
  if (!isValid && spot.evaluated) spot.evaluated.length = evaluated;
  return isValid;
}

/** The same, where the schema decides and its problems are not shown. */
function decide(spot: Spot, visit: Visit): boolean {
  const { run } = spot;
  const first = run.problems.length;
  run.doubt++;
  const isValid = attempt(spot, visit);
  run.doubt--;
  run.problems.length = first;
  return isValid;
}

/** `$ref`. In 2019-09, `$recursiveRef` is the schema itself, unless another one extends it. */
export const ofReference: Make<unknown> = (members) => {
  const recursive = members.value('$recursiveRef') === undefined ? undefined : '#';
  const reference = members.value('$ref') ?? recursive;
  if (typeof reference !== 'string') return;
  let target: Visit | undefined;
  return (_, spot) => {
    target ??= members.target(reference, spot.run);
    target(spot);
  };
};

export const ofNot: Make<unknown> = (members) => {
  const visit = members.schema('not');
  if (!visit) return;
  return (_, spot) => {
    if (decide(spot, visit)) spot.report('Instance matched "not" schema.', false);
  };
};

/** A keyword with a list of schemas, by the number of them that the value must follow. */
function branches(
  keyword: string,
  isEnough: (matches: number, all: number) => boolean,
  text: (matches: number) => string,
): Make<unknown> {
  return (members) => {
    const visits = members.schemas(keyword);
    if (!visits) return;
    const doubt = keyword === 'allOf' ? 0 : 1;
    return (_, spot) => {
      const { run } = spot;
      const first = run.problems.length;
      let matches = 0;
      run.spend(visits.length / 10);
      run.doubt += doubt;
      for (const visit of visits) if (attempt(spot, visit)) matches++;
      run.doubt -= doubt;
      if (isEnough(matches, visits.length)) run.problems.length = first;
      else spot.report(text(matches), false, first);
    };
  };
}

export const ofBranches: readonly Make<unknown>[] = [
  branches(
    'anyOf',
    (matches) => matches > 0,
    () => 'Instance does not match any subschemas.',
  ),
  branches(
    'allOf',
    (matches, all) => matches === all,
    () => 'Instance does not match every subschema.',
  ),
  branches(
    'oneOf',
    (matches) => matches === 1,
    (matches) => `Instance does not match exactly one subschema (${matches} matches).`,
  ),
];

export const ofCondition: Make<unknown> = (members) => {
  const condition = members.schema('if');
  if (!condition) return;
  const [positive, negative] = [members.schema('then'), members.schema('else')];
  return (_, spot) => {
    const { run } = spot;
    const isMet = decide(spot, condition);
    const visit = isMet ? positive : negative;
    const first = run.problems.length;
    run.doubt++;
    if (visit && !visit(spot))
      spot.report(`Instance does not match "${isMet ? 'then' : 'else'}" schema.`, false, first);
    run.doubt--;
  };
};
