import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { raceAbort } from '../../tools/values/index.ts';

/**
 * Asks on stderr for a line from stdin, both of which must be a terminal. `undefined` where the
 * input ends first, or has ended; throws when the signal aborts.
 */
export async function askLine(question: string, signal: AbortSignal): Promise<string | undefined> {
  // An interface on an input that has ended never hears of it.
  if (!process.stdin.readable) return;
  // Not readline's own editing: that would take Ctrl-C for itself.
  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: false,
  });
  let line: string | undefined;
  try {
    const closed = once(lines, 'close').then(() => undefined);
    // Not readline's own signal: it would still write when that fires long after the input has ended.
    line = await raceAbort(Promise.race([lines.question(question), closed]), signal);
    return line;
  } finally {
    lines.close();
    // Without an answer the question still waits on its line.
    if (line === undefined) process.stderr.write('\n');
  }
}
