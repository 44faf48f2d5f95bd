import { Recent } from '../../tools/values/index.ts';

/** Maximum number of questions. The oldest are dropped, and the user is asked again. */
const LIMIT = 1_000;

/** The calls that users were asked about in this process, with the binding of each tool. */
export class Questions {
  readonly #asked = new Recent<string>(LIMIT);

  /** Records a question. Without a binding, an earlier record of the call is deleted. */
  keep(key: string, binding: string | undefined): void {
    if (binding === undefined) this.#asked.delete(key);
    else this.#asked.set(key, binding);
  }

  /** The binding of the tool when a user was asked about this call. */
  bindingOf(key: string): string | undefined {
    return this.#asked.get(key);
  }
}
