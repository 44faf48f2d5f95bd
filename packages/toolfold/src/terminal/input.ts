import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { raceAbort } from '@toolfold/core/internal/values';
import type { CommandContext, Streams } from './terminal.ts';

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

/** Milliseconds without a key after which a question is shown. */
const PAUSE = 1000;

/** Milliseconds before a question takes an answer: what is typed meanwhile was meant for something else. */
export const INERT = 300;

/** Calls later. Returns what takes that back. */
export type After = (milliseconds: number, call: () => void) => () => void;

/** Keys that have come in the meantime are taken before the call, also if the process was busy. */
const afterKeys: After = (milliseconds, call) => {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    immediate = setImmediate(call);
  }, milliseconds).unref();
  return () => {
    clearTimeout(timer);
    if (immediate) clearImmediate(immediate);
  };
};

/** Knows whether the user types. */
export class Typing {
  #stop: (() => void) | undefined;
  readonly #waiting = new Set<() => void>();
  readonly after: After;

  constructor(after: After = afterKeys) {
    this.after = after;
  }

  /** A key was pressed. */
  pressed(): void {
    this.#stop?.();
    this.#stop = this.after(PAUSE, () => {
      this.#stop = undefined;
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      for (const call of waiting) call();
    });
  }

  /** Whether a key was pressed just now. */
  get isOn(): boolean {
    return this.#stop !== undefined;
  }

  /** Calls when the user pauses. Returns what takes that back. */
  atPause(call: () => void): () => void {
    this.#waiting.add(call);
    return () => this.#waiting.delete(call);
  }
}
