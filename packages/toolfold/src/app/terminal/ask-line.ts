import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { raceAbort } from '@toolfold/core/internal/tools/values';
import type { CommandContext } from './command-context.ts';
import type { Streams } from './terminal.ts';

/**
 * Asks a question on stderr and reads a line from stdin. Both must be a terminal. `undefined` if
 * the input has ended or ends first. Throws when the signal aborts.
 */
export async function askLine(
  question: string,
  signal: AbortSignal,
  { stdin, stderr }: Pick<Streams, 'stdin' | 'stderr'> = process,
): Promise<string | undefined> {
  // An interface on an input that has already ended never emits `close`.
  if (!stdin.readable) return;
  // readline's own editing would intercept Ctrl-C.
  const lines = createInterface({
    input: stdin,
    output: stderr,
    terminal: false,
  });
  let line: string | undefined;
  try {
    const closed = once(lines, 'close').then(() => undefined);
    // With its own signal option, readline still writes when the signal aborts long after the input
    // has ended.
    line = await raceAbort(Promise.race([lines.question(question), closed]), signal);
    return line;
  } finally {
    lines.close();
    // Without an answer the cursor is still on the question's line.
    if (line === undefined) stderr.write('\n');
  }
}

/** Whether a question can be asked: stdin and stderr are a terminal. */
export function canAsk({ stdin, stderr }: Pick<Streams, 'stdin' | 'stderr'>): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks as `askLine` does, and reads a yes. Everything else is a no. */
export async function isAgreed(
  question: string,
  { streams, signal }: Pick<CommandContext, 'streams' | 'signal'>,
): Promise<boolean> {
  const answer = await askLine(`${question} [y/N] `, signal, streams);
  return /^y(?:es)?$/i.test(answer?.trim() ?? '');
}
