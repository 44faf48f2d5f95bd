/**
 * An embedding in the length 1. Empty for one of zeros, which has no direction. Undefined for anything but a
 * non-empty array of finite numbers.
 */
export function readVector(embedding: unknown): Float32Array | undefined {
  if (!Array.isArray(embedding) && !ArrayBuffer.isView(embedding)) return;
  const values: unknown[] = Array.from(embedding as ArrayLike<unknown>);
  if (values.length === 0 || !values.every(isFiniteNumber)) return;
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return new Float32Array();
  // Scaled first: the square of a large number would be infinite.
  const scaled = values.map((value) => value / largest);
  const length = Math.sqrt(scaled.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(scaled, (value) => value / length);
}

/** The similarity of two vectors of the same dimensions. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
