import { isRecord, type JsonSchema } from '../values/index.ts';
import { type Draft, type Make, type Rule, type SchemaContext, SchemaKeywords } from './members.ts';
import { type Flaw, PatternBook } from './patterns.ts';
import { References, type SchemaLocation } from './references.ts';
import { ofArrays, ofObjects } from './rules-of-contents.ts';
import { ofConst, ofEnum, ofNumbers, ofStrings, ofType, typeOf } from './rules-of-values.ts';
import type { CheckState, Spot, Validator } from './run.ts';

/** Checks the value of a spot by a further schema. If that fails, the members it evaluated do not count. */
function attempt(spot: Spot, visit: Validator): boolean {
  const evaluated = spot.evaluated?.length ?? 0;
  const isValid = visit(spot);
  if (!isValid && spot.evaluated) spot.evaluated.length = evaluated;
  return isValid;
}

/** The same, where the schema decides and its problems are not shown. */
function decide(spot: Spot, visit: Validator): boolean {
  const { run } = spot;
  const first = run.problems.length;
  run.doubt++;
  const isValid = attempt(spot, visit);
  run.doubt--;
  run.problems.length = first;
  return isValid;
}

/** `$ref`. In 2019-09, `$recursiveRef` is the schema itself, unless another one extends it. */
const ofReference: Make<unknown> = (members) => {
  const recursive = members.value('$recursiveRef') === undefined ? undefined : '#';
  const reference = members.value('$ref') ?? recursive;
  if (typeof reference !== 'string') return;
  let target: Validator | undefined;
  return (_, spot) => {
    target ??= members.target(reference, spot.run);
    target(spot);
  };
};

const ofNot: Make<unknown> = (members) => {
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

const ofBranches: readonly Make<unknown>[] = [
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

const ofCondition: Make<unknown> = (members) => {
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

/** The work of a schema that is `true` or `false`, and of a part that is not checked. */
const BOOLEAN = 0.05;
const LEFT_OUT = 0.5;
/** The maximum number of places that are kept for warnings. */
const MAX_PLACES = 10;

/** The rules for values of every type, in the order of their problems. */
const FOR_ALL = [ofReference, ofType, ofConst, ofEnum, ofNot, ...ofBranches, ofCondition];
const BY_TYPE: Readonly<Record<string, readonly Make<never>[]>> = {
  object: ofObjects,
  array: ofArrays,
  string: ofStrings,
  number: ofNumbers,
  boolean: [],
  null: [],
};

/** The rules of one schema, by the type of the value. */
interface SchemaRules {
  readonly forAll: readonly Rule<unknown>[];
  readonly byType: Readonly<Record<string, readonly Rule<never>[]>>;
  readonly isPartial: boolean;
  /** Whether the schema asks which members other schemas have checked. */
  readonly needsEvaluated: boolean;
}

/** The schema of a tool. Each part is read when a check first reaches it, and becomes a function. */
export class CheckableSchema implements SchemaContext {
  readonly draft: Draft;
  /** The places that are not checked, because they are malformed or may take too long. */
  readonly flaws: Readonly<Record<Flaw, Set<string>>> = { odd: new Set(), costly: new Set() };
  readonly patterns: PatternBook = new PatternBook();
  /** Checks the arguments by the whole schema. */
  readonly visit: Validator;
  readonly root: SchemaLocation;
  readonly #references: References;
  readonly #visits = new WeakMap<object, Validator>();

  constructor(schema: JsonSchema, draft: Draft) {
    this.draft = draft;
    this.#references = new References(schema);
    this.root = this.#references.root;
    this.visit = this.visitOf(this.root);
  }

  leaveOut(why: Flaw, at: string, run: CheckState): void {
    run.spend(LEFT_OUT);
    run.isPartial = true;
    const places = this.flaws[why];
    if (places.size < MAX_PLACES) places.add(at);
  }

  /** What a reference at a place leads to; undefined if that is nothing in this schema. */
  placeOf(reference: string, place: SchemaLocation, run: CheckState): SchemaLocation | undefined {
    return this.#references.find(reference, place, run);
  }

  target(reference: string, place: SchemaLocation, run: CheckState): Validator {
    const found = this.placeOf(reference, place, run);
    if (!found) throw new Error(`Unresolved $ref "${reference}".`);
    return this.visitOf(found);
  }

  visitOf(place: SchemaLocation): Validator {
    const { source } = place;
    if (!isRecord(source)) return source === false ? refuse : accept;
    const known = this.#visits.get(source);
    if (known) return known;
    let rules: SchemaRules | undefined;
    const visit: Validator = (spot) => {
      const { run, value } = spot;
      run.enter();
      rules ??= this.#read(place, source, run);
      const type = typeOf(value);
      const ofItsType = rules.byType[type];
      if (!ofItsType) throw new Error(`Instances of "${type}" type are not supported.`);
      if (rules.isPartial) run.isPartial = true;
      if (rules.needsEvaluated) spot.evaluated ??= [];
      const first = run.problems.length;
      const since = spot.evaluated?.length ?? 0;
      for (const rule of rules.forAll) rule(value, spot, since);
      for (const rule of ofItsType) rule(value as never, spot, since);
      run.leave();
      return run.problems.length === first;
    };
    this.#visits.set(source, visit);
    return visit;
  }

  #read(place: SchemaLocation, source: JsonSchema, run: CheckState): SchemaRules {
    const members = new SchemaKeywords(this, place, source, run);
    const rulesOf = <Value>(makes: readonly Make<Value>[]) =>
      makes.flatMap((make) => make(members) ?? []);
    const types = Object.entries(BY_TYPE).map(([type, makes]) => [type, rulesOf(makes)] as const);
    return {
      forAll: rulesOf(FOR_ALL),
      byType: Object.fromEntries(types),
      isPartial: members.isPartial,
      needsEvaluated: 'unevaluatedItems' in source || 'unevaluatedProperties' in source,
    };
  }
}

const accept: Validator = ({ run }) => {
  run.spend(BOOLEAN);
  return true;
};

const refuse: Validator = (spot) => {
  spot.report('Nothing is allowed here.', false);
  return false;
};
