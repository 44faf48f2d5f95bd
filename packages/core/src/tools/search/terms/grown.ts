type Numbers = Int8Array | Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

/** A copy of a typed array with room for more numbers. */
export function grown<T extends Numbers>(numbers: T, length: number): T {
  const larger = new (numbers.constructor as new (length: number) => T)(length);
  larger.set(numbers);
  return larger;
}
