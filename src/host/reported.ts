/** Denials remembered at most; older ones are forgotten, and reported once more. */
const LIMIT = 1_000;

/** Denied calls that were reported already, until the next request shows their results. */
export class Reported {
  readonly #keys = new Set<string>();

  keep(id: string, name: string): void {
    this.#keys.add(JSON.stringify([id, name]));
    const [oldest] = this.#keys;
    if (this.#keys.size > LIMIT && oldest !== undefined) this.#keys.delete(oldest);
  }

  /** Whether it was reported; once. */
  take(id: string, name: string): boolean {
    return this.#keys.delete(JSON.stringify([id, name]));
  }
}
