/** Work that one check of arguments may take, in units of about a microsecond. */
const BUDGET = 60_000;
/** Schemas inside each other after which everything costs twice as much: errors are handed up. */
const LEVELS = 32;

/** Thrown where a check would take more work than it may. */
export const BUDGET_SPENT: Error = new Error('checking would take too long');

/** Counts the work of one check, whoever decides how much there is: a schema, or arguments. */
export class Meter {
  readonly #budget: number;
  #spent = 0;
  #factor = 1;
  /** Characters of the text that was read last, and of the longest name of a property. */
  #text = 0;
  #name = 0;
  /** Of all properties. */
  readonly names: Set<string> = new Set();
  /** Properties of the largest object. */
  #names = 0;

  constructor(budget: number = BUDGET) {
    this.#budget = budget;
  }

  get spent(): number {
    return this.#spent;
  }

  /** A schema is looked at, this deep inside others. */
  visit(depth: number, units: number): void {
    this.#factor = 1 + depth / LEVELS;
    this.spend(units);
  }

  /** Throws `BUDGET_SPENT` where nothing is left. */
  spend(units: number): void {
    this.#spent += units * this.#factor;
    if (this.#spent > this.#budget) throw BUDGET_SPENT;
  }

  /** Whether there is enough left for something; spent if so. */
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

  /** Characters of any text that may be under judgement now. */
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
