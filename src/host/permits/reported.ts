import { Recent } from '../../tools/values/index.ts';

/** Maximum number of entries. The oldest are dropped, and their denials are reported again. */
const LIMIT = 1_000;

/** Denied calls whose event was already emitted, until the next request contains their results. */
export class Reported {
  readonly #keys = new Recent<true>(LIMIT);

  keep(id: string, name: string): void {
    this.#keys.set(JSON.stringify([id, name]), true);
  }

  /** Whether the call was reported. Removes the entry. */
  take(id: string, name: string): boolean {
    return this.#keys.delete(JSON.stringify([id, name]));
  }
}
