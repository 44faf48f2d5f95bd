/** The limit of work for one check of arguments, in units of about a microsecond. */
const BUDGET = 60_000;
/** Units of work to check a value by one schema, and to report a problem. */
const VISIT = 0.5;
const PROBLEM = 1.5;
/** The characters of a text, and the problems that move in a list, that are one unit of work. */
const CHARACTERS = 1_000;
const MOVED = 500;
/** The maximum depth of nested schemas. */
const MAX_DEPTH = 400;
/** A place is shown with fewer characters of a name than this. */
const MAX_NAME = 400;

/** Thrown if a check would exceed its limit of work. */
export const BUDGET_SPENT: Error = new Error('checking would take too long');

/** The name or index of a member. */
type Key = string | number;

/** Whether a value follows a schema. If it does not, the problems are reported. */
export type Validator = (spot: Spot) => boolean;

export interface ArgumentProblem {
  readonly spot: Spot;
  readonly text: string;
  /** Whether the value is invalid even if parts of the schema are left out. */
  readonly isCertain: boolean;
}

/** The state of one check: its problems, and its work, whether the schema or the arguments cause it. */
export class CheckState {
  readonly problems: ArgumentProblem[] = [];
  /** Whether the check reached a schema with parts left out. */
  isPartial = false;
  /** Whether the check reached a schema that is nested too deeply. */
  isTooDeep = false;
  /** Above 0 where a schema with parts left out may refuse values that the whole schema accepts. */
  doubt = 0;
  readonly #budget: number;
  #spent = 0;
  #depth = 0;

  constructor(budget: number = BUDGET) {
    this.#budget = budget;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Throws `BUDGET_SPENT` if the limit is exceeded. */
  spend(units: number): void {
    this.#spent += units;
    if (this.#spent > this.#budget) throw BUDGET_SPENT;
  }

  /** Spends the units if enough are left, and returns whether it did. */
  afford(units: number): boolean {
    if (!(this.#spent + units <= this.#budget)) return false;
    this.#spent += units;
    return true;
  }

  /** Begins and ends the check of a value by one schema. */
  enter(): void {
    this.spend(VISIT);
    this.isTooDeep = ++this.#depth > MAX_DEPTH + 1;
    if (this.isTooDeep) throw BUDGET_SPENT;
  }

  leave(): void {
    this.#depth--;
  }
}

/** A value in the arguments that a check has reached. */
export class Spot {
  readonly run: CheckState;
  readonly value: unknown;
  /** The names or indexes of members that schemas have checked. Kept where a schema asks for them. */
  evaluated: Key[] | undefined;
  readonly #key: Key;
  readonly #parent: Spot | undefined;
  #pointer: string | undefined;

  constructor(run: CheckState, value: unknown, key: Key = '', parent?: Spot) {
    this.run = run;
    this.value = value;
    this.#key = key;
    this.#parent = parent;
  }

  child(key: Key, value: unknown): Spot {
    return new Spot(this.run, value, key, this);
  }

  /** Checks a member. `summary` is reported before the problems of the member. */
  checkMember(key: Key, value: unknown, visit: Validator, summary?: (key: Key) => string): void {
    const first = this.run.problems.length;
    const isValid = visit(new Spot(this.run, value, key, this));
    // An item counts as evaluated even if it is invalid. Else it would have one more problem.
    if (isValid || typeof key === 'number') this.evaluated?.push(key);
    if (!isValid && summary) this.report(summary(key), false, first);
  }

  /** Reports a problem, as the last one or at an index. */
  report(text: string, isCertain = true, at: number = this.run.problems.length): void {
    const { problems, doubt } = this.run;
    this.run.spend(PROBLEM + text.length / CHARACTERS + (problems.length - at) / MOVED);
    problems.splice(at, 0, { spot: this, text, isCertain: isCertain && doubt === 0 });
  }

  /** The JSON Pointer to the value, as the fragment of a URI. */
  get pointer(): string {
    if (!this.#parent) return '';
    this.#pointer ??= `${this.#parent.pointer}/${encoded(String(this.#key))}`;
    return this.#pointer;
  }
}

function encoded(name: string): string {
  const shown = name.slice(0, MAX_NAME).toWellFormed();
  return encodeURI(shown.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('#', '%23');
}
