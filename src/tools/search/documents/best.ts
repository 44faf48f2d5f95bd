/** Keeps the best of many without sorting the rest: a heap with the worst of them on top. */
export class Best<T extends { readonly score: number }> {
  /** Anything below this score is refused. */
  least: number = Number.NEGATIVE_INFINITY;
  readonly #heap: T[] = [];
  readonly #limit: number;
  readonly #order: (a: T, b: T) => number;

  /** `order` decides between equal scores: negative if `a` comes first. */
  constructor(limit: number, order: (a: T, b: T) => number) {
    this.#limit = limit;
    this.#order = order;
    if (limit <= 0) this.least = Number.POSITIVE_INFINITY;
  }

  offer(item: T): void {
    const heap = this.#heap;
    if (heap.length < this.#limit) {
      heap.push(item);
      this.#rise(heap.length - 1);
    } else {
      const [worst] = heap;
      if (worst === undefined || this.#compare(item, worst) >= 0) return;
      heap[0] = item;
      this.#sink();
    }
    if (heap.length >= this.#limit) this.least = heap[0]?.score ?? this.least;
  }

  /** The best, best first. */
  sorted(): readonly T[] {
    return this.#heap.sort((a, b) => this.#compare(a, b));
  }

  #compare(a: T, b: T): number {
    return b.score - a.score || this.#order(a, b);
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isWorse(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < this.#heap.length && this.#isWorse(child, worst)) worst = child;
      if (worst === at) return;
      this.#swap(at, worst);
      at = worst;
    }
  }

  #isWorse(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    return a !== undefined && b !== undefined && this.#compare(a, b) > 0;
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (a === undefined || b === undefined) return;
    this.#heap[one] = b;
    this.#heap[other] = a;
  }
}
