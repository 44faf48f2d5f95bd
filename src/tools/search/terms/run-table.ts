const FIRST_RUNS = 512;

/**
 * Numbers for runs of ASCII characters. A run is found by its characters within a text, so that a known
 * one needs no string of its own: a hash table with open addressing.
 */
export class RunTable {
  count = 0;
  /** A run's number and 1, or 0 for a free place. A power of two, at least twice the runs. */
  #places = new Int32Array(2 * FIRST_RUNS);
  #hashes = new Int32Array(FIRST_RUNS);
  /** The characters of run `r` are from `starts[r]` up to `starts[r + 1]`. */
  #starts = new Uint32Array(FIRST_RUNS + 1);
  #characters = new Uint8Array(8 * FIRST_RUNS);

  /** The number of the run between two positions of a text; -1 for a new one. */
  find(text: string, from: number, to: number, hash: number): number {
    for (let place = this.#firstPlace(hash); ; place = this.#after(place)) {
      const run = (this.#places[place] ?? 0) - 1;
      if (run < 0 || (this.#hashes[run] === hash && this.#isRun(run, text, from, to))) return run;
    }
  }

  /** Adds a new run. Returns its number: the count of runs before. */
  add(text: string, from: number, to: number, hash: number): number {
    const run = this.count++;
    const start = this.#starts[run] ?? 0;
    const end = start + to - from;
    if (this.count > this.#hashes.length) this.#grow();
    if (end > this.#characters.length) this.#characters = longer(this.#characters, 2 * end);
    for (let i = 0; i < to - from; i++) this.#characters[start + i] = text.charCodeAt(from + i);
    this.#starts[run + 1] = end;
    this.#hashes[run] = hash;
    this.#put(run);
    return run;
  }

  #isRun(run: number, text: string, from: number, to: number): boolean {
    const start = this.#starts[run] ?? 0;
    if ((this.#starts[run + 1] ?? 0) - start !== to - from) return false;
    for (let i = 0; i < to - from; i++)
      if (this.#characters[start + i] !== text.charCodeAt(from + i)) return false;
    return true;
  }

  #put(run: number): void {
    let place = this.#firstPlace(this.#hashes[run] ?? 0);
    while (this.#places[place] !== 0) place = this.#after(place);
    this.#places[place] = run + 1;
  }

  #firstPlace(hash: number): number {
    return (hash ^ (hash >>> 15)) & (this.#places.length - 1);
  }

  #after(place: number): number {
    return (place + 1) & (this.#places.length - 1);
  }

  #grow(): void {
    const length = 2 * this.#hashes.length;
    this.#hashes = longer(this.#hashes, length);
    this.#starts = longer(this.#starts, length + 1);
    this.#places = new Int32Array(2 * length);
    for (let run = 0; run < this.count - 1; run++) this.#put(run);
  }
}

/** A longer copy of an array. */
function longer<T extends Int32Array | Uint32Array | Uint8Array>(array: T, length: number): T {
  const copy = new (array.constructor as new (length: number) => T)(length);
  copy.set(array);
  return copy;
}
