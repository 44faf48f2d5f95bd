/**
 * The ids of the calls of one model call, for the SDK. Some endpoints use the same ids again in each
 * response. The SDK must not see an id twice in one model call.
 */
export class CallIds {
  readonly #used = new Set<string>();

  /** The ids of one response: a function from the id on the wire to the id for the SDK. */
  ofResponse(): (id: string) => string {
    const earlier = new Set(this.#used);
    const ids = new Map<string, string>();
    return (id) => {
      const known = ids.get(id);
      if (known !== undefined) return known;
      let unique = id;
      for (let n = 2; earlier.has(unique); n++) unique = `${id}_${n}`;
      this.#used.add(unique);
      ids.set(id, unique);
      return unique;
    };
  }
}
