import { isRecord, type JsonSchema } from '../../values/index.ts';
import { type Draft, type Make, Members, type Rule, type Shared } from './members.ts';
import { type Flaw, PatternBook } from './pattern-book.ts';
import { ofArrays } from './rules-of-arrays.ts';
import { ofBranches, ofCondition, ofNot, ofReference } from './rules-of-branches.ts';
import { ofObjects } from './rules-of-objects.ts';
import { ofConst, ofEnum, ofNumbers, ofStrings, ofType, typeOf } from './rules-of-values.ts';
import type { Run, Visit } from './run.ts';
import { type Place, References } from './schema-references.ts';

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
interface Rules {
  readonly forAll: readonly Rule<unknown>[];
  readonly byType: Readonly<Record<string, readonly Rule<never>[]>>;
  readonly isPartial: boolean;
  /** Whether the schema asks which members other schemas have checked. */
  readonly needsEvaluated: boolean;
}

/** The schema of a tool. Each part is read when a check first reaches it, and becomes a function. */
export class CheckableSchema implements Shared {
  readonly draft: Draft;
  /** The places that are not checked, because they are malformed or may take too long. */
  readonly flaws: Readonly<Record<Flaw, Set<string>>> = { odd: new Set(), costly: new Set() };
  readonly patterns: PatternBook = new PatternBook();
  /** Checks the arguments by the whole schema. */
  readonly visit: Visit;
  readonly root: Place;
  readonly #references: References;
  readonly #visits = new WeakMap<object, Visit>();

  constructor(schema: JsonSchema, draft: Draft) {
    this.draft = draft;
    this.#references = new References(schema);
    this.root = this.#references.root;
    this.visit = this.visitOf(this.root);
  }

  leaveOut(why: Flaw, at: string, run: Run): void {
    run.spend(LEFT_OUT);
    run.isPartial = true;
    const places = this.flaws[why];
    if (places.size < MAX_PLACES) places.add(at);
  }

  /** What a reference at a place leads to; undefined if that is nothing in this schema. */
  placeOf(reference: string, place: Place, run: Run): Place | undefined {
    return this.#references.find(reference, place, run);
  }

  target(reference: string, place: Place, run: Run): Visit {
    const found = this.placeOf(reference, place, run);
    if (!found) throw new Error(`Unresolved $ref "${reference}".`);
    return this.visitOf(found);
  }

  visitOf(place: Place): Visit {
    const { source } = place;
    if (!isRecord(source)) return source === false ? refuse : accept;
    const known = this.#visits.get(source);
    if (known) return known;
    let rules: Rules | undefined;
    const visit: Visit = (spot) => {
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

  #read(place: Place, source: JsonSchema, run: Run): Rules {
    const members = new Members(this, place, source, run);
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

const accept: Visit = ({ run }) => {
  run.spend(BOOLEAN);
  return true;
};

const refuse: Visit = (spot) => {
  spot.report('Nothing is allowed here.', false);
  return false;
};
