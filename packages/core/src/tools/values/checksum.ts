/** FNV-1a, 32 bits, over the bytes from a position on. Finds damage, not forgery. */
export function checksum(bytes: Uint8Array, from: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < bytes.length; at++)
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash >>> 0;
}
