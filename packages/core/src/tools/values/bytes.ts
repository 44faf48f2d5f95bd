/** The first bytes of a stream, up to a limit, and whether these are all of it. The rest is not read. */
export async function bytesUpTo(
  limit: number,
  chunks: AsyncIterable<Uint8Array | string>,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly isWhole: boolean }> {
  const encoder = new TextEncoder();
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const piece = typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
    kept.push(piece.subarray(0, limit - size));
    size += piece.length;
    // Leaving the loop cancels the stream.
    if (size > limit) break;
  }
  const bytes = new Uint8Array(Math.min(size, limit));
  let at = 0;
  for (const piece of kept) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return { bytes, isWhole: size <= limit };
}
