import type { Writable } from 'node:stream';
import { raceAbort } from '@toolfold/core/internal/tools/values';

const CHUNK = 64 * 1024;
/** Milliseconds after a signal in which a reader must take something. */
const PATIENCE = 1000;

/**
 * Writes a text of any length. Waits for a slow reader, so that the text is not copied into memory as a
 * whole. A signal does not cut the text off while the reader goes on reading. Rejects with the signal's
 * reason if the reader has stopped or closed its end.
 */
export async function writeWhole(
  text: string,
  stream: Writable,
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; at < text.length; ) {
    const end = endOfChunk(text, at + CHUNK);
    if (!stream.write(text.slice(at, end)) || end >= text.length) await taken(stream, signal);
    at = end;
  }
}

async function taken(stream: Writable, signal: AbortSignal): Promise<void> {
  const written = new Promise<void>((resolve, reject) => {
    stream.write('', (error) => (error ? reject(error) : resolve()));
  });
  try {
    await raceAbort(written, signal);
  } catch (error) {
    if (!signal.aborted || stream.errored) throw error;
    await raceAbort(written, AbortSignal.timeout(PATIENCE));
  }
}

/** The two halves of a character beyond 16 bits stay together. */
function endOfChunk(text: string, end: number): number {
  const isHalf = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHalf ? end + 1 : end;
}
