import type { Readable } from 'node:stream';
import { usageError } from '../../app/terminal/index.ts';
import { bytesUpTo, formatNumber, raceAbort } from '../../tools/values/index.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** Reads stdin as UTF-8. Throws `invalid-option` if it is not, or too long; rejects with the signal's reason. */
export async function readText(stdin: Readable, signal: AbortSignal): Promise<string> {
  // An open stdin would keep the process alive.
  const stop = (): void => void stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const { bytes, isWhole } = await raceAbort(bytesUpTo(MAX_BYTES, stdin), signal).finally(() =>
    signal.removeEventListener('abort', stop),
  );
  if (!isWhole) {
    const size = formatNumber(MAX_BYTES);
    throw usageError(`stdin has more than ${size} bytes.`, 'Give fewer arguments.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw usageError(
      'stdin is not UTF-8.',
      'Convert it, or give the arguments in another form.',
      error,
    );
  }
}
