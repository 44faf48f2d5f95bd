/** A bounded map that keeps the most recently used values. */
export class Recent<V> {
  readonly #values = new Map<string, V>();
  readonly #limit: number;
  readonly #mostCharacters: number;
  #characters = 0;

  /** `mostCharacters`: of all keys together. */
  constructor(limit: number, mostCharacters: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
    this.#mostCharacters = mostCharacters;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): V | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) {
      this.#values.delete(key);
      this.#values.set(key, value);
    }
    return value;
  }

  set(key: string, value: V): V {
    this.delete(key);
    this.#values.set(key, value);
    this.#characters += key.length;
    for (const oldest of this.#values.keys())
      if (this.size > this.#limit || this.#characters > this.#mostCharacters) this.delete(oldest);
      else break;
    return value;
  }

  /** Whether there was one. */
  delete(key: string): boolean {
    const isThere = this.#values.delete(key);
    if (isThere) this.#characters -= key.length;
    return isThere;
  }

  /** The values kept under keys of one scope (`scope|…`). */
  *values(scope: string): Iterable<V> {
    for (const [key, value] of this.#values) if (key.startsWith(`${scope}|`)) yield value;
  }
}

/** The value of the key; it is made if it is not known. */
export function getOrMake<V>(memo: Recent<unknown>, key: string, make: () => V): V {
  const known = memo.get(key) as V | undefined;
  return known ?? (memo.set(key, make()) as V);
}

/** Passes on a text the first time that its key is given. */
export function oncePerKey(pass: (text: string) => void): (key: string, text: string) => void {
  const said = new Set<string>();
  return (key, text) => {
    if (said.has(key)) return;
    said.add(key);
    pass(text);
  };
}
