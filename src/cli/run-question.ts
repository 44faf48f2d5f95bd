import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/**
 * Asks on stderr for a line from stdin, both of which must be a terminal. `undefined` where the
 * input ends first; throws when the signal aborts.
 */
export async function askLine(question: string, signal: AbortSignal): Promise<string | undefined> {
  // Not readline's own editing: that would take Ctrl-C for itself.
  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: false,
  });
  try {
    const closed = once(lines, 'close').then(() => undefined);
    return await Promise.race([lines.question(question, { signal }), closed]);
  } finally {
    lines.close();
  }
}
