import { Recent } from '../../tools/values/index.ts';

/** Questions remembered at most; older ones are forgotten, and asked again. */
const LIMIT = 1_000;

/** What users have been asked about in this process: which call, with which input, of which tool. */
export class Questions {
  readonly #asked = new Recent<string>(LIMIT);

  /** `binding`: what the tool was known by. */
  keep(key: string, binding: string | undefined): void {
    if (binding === undefined) this.#asked.delete(key);
    else this.#asked.set(key, binding);
  }

  /** What the tool was known by when a user was asked about this very call. */
  bindingOf(key: string): string | undefined {
    return this.#asked.get(key);
  }
}
