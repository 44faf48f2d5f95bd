import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Characters that are written at once. */
const CHUNK = 64 * 1024;

/**
 * Writes a text of any length. Waits for a slow reader, so that the text is not copied into memory as a
 * whole and a signal ends the writing. Rejects with the signal's reason.
 */
export async function writeWhole(
  text: string,
  stream: Writable,
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; at < text.length; ) {
    signal.throwIfAborted();
    const end = endOfChunk(text, at + CHUNK);
    if (!stream.write(text.slice(at, end))) await once(stream, 'drain', { signal });
    at = end;
  }
}

/** The two halves of a character beyond 16 bits stay together. */
function endOfChunk(text: string, end: number): number {
  const isHalf = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHalf ? end + 1 : end;
}
