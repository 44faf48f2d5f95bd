/** The limit of work for one check of arguments, in units of about a microsecond. */
const BUDGET = 60_000;
/** The nesting depth at which all work counts twice, because errors are passed up through each level. */
const LEVELS = 32;

/** Thrown if a check would exceed its limit of work. */
export const BUDGET_SPENT: Error = new Error('checking would take too long');

/** Counts the work of one check, whether the schema or the arguments cause it. */
export class Meter {
  readonly #budget: number;
  #spent = 0;
  #factor = 1;
  /** The length of the last text, and of the longest property name. */
  #text = 0;
  #name = 0;
  /** The names of all properties. */
  readonly names: Set<string> = new Set();
  /** The number of properties of the largest object. */
  #names = 0;

  constructor(budget: number = BUDGET) {
    this.#budget = budget;
  }

  get spent(): number {
    return this.#spent;
  }

  /** Counts the visit of a schema at a nesting depth. */
  visit(depth: number, units: number): void {
    this.#factor = 1 + depth / LEVELS;
    this.spend(units);
  }

  /** Throws `BUDGET_SPENT` if the limit is exceeded. */
  spend(units: number): void {
    this.#spent += units * this.#factor;
    if (this.#spent > this.#budget) throw BUDGET_SPENT;
  }

  /** Spends the units if enough are left, and returns whether it did. */
  afford(units: number): boolean {
    if (!(this.#spent + units <= this.#budget)) return false;
    this.#spent += units;
    return true;
  }

  sawText(length: number): void {
    this.#text = length;
  }

  sawNames(names: readonly string[]): void {
    this.#names = Math.max(this.#names, names.length);
    for (const name of names) {
      this.#name = Math.max(this.#name, name.length);
      this.names.add(name);
    }
  }

  /** The maximum length of a text that may be checked at this point. */
  get reach(): number {
    return Math.max(this.#text, this.#name);
  }

  get mostNames(): number {
    return this.#names;
  }

  get longestName(): number {
    return this.#name;
  }
}
