/** A list of numbers in a typed array, which grows. */
export class Numbers {
  length = 0;
  #array: Uint32Array | Uint16Array | Uint8Array;
  readonly #create: (length: number) => Uint32Array | Uint16Array | Uint8Array;

  constructor(create: (length: number) => Uint32Array | Uint16Array | Uint8Array) {
    this.#create = create;
    this.#array = create(64);
  }

  at(index: number): number {
    return this.#array[index] ?? 0;
  }

  push(value: number): void {
    if (this.length === this.#array.length) {
      const larger = this.#create(2 * this.length);
      larger.set(this.#array);
      this.#array = larger;
    }
    this.#array[this.length++] = value;
  }
}
