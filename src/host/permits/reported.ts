import { Recent } from '../../tools/values/index.ts';

/** Denials remembered at most; older ones are forgotten, and reported once more. */
const LIMIT = 1_000;

/** Denied calls that were reported already, until the next request shows their results. */
export class Reported {
  readonly #keys = new Recent<true>(LIMIT);

  keep(id: string, name: string): void {
    this.#keys.set(JSON.stringify([id, name]), true);
  }

  /** Whether it was reported; once. */
  take(id: string, name: string): boolean {
    return this.#keys.delete(JSON.stringify([id, name]));
  }
}
