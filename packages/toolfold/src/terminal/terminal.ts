import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import { stripControls } from '@toolfold/mcp/internal/redact.ts';

/**
 * The exit codes of the process. In addition: 129, 130, 131 and 143 after SIGHUP, SIGINT, SIGQUIT
 * and SIGTERM.
 */
export const exitCode = {
  ok: 0,
  /** Something went wrong, the model or a called tool failed, or an audited prefix broke. */
  failed: 1,
  /** A bad flag, a malformed configuration, unreadable input. */
  usage: 2,
  /**
   * `inspect`, `list` and `search`: done, but some servers were not ready. `run` only writes a line
   * about it. `audit`: the prefix held, but some lines could not be read.
   */
  notReady: 3,
  /** A tool did not run because it needed approval and nobody could be asked. */
  notApproved: 4,
  /** The turn ended because no rounds of tools were left. */
  noRoundsLeft: 5,
  /** The turn or the call reached its time limit. */
  timedOut: 6,
  /** A server is named that nobody has said yes to, or nobody could be asked whether an entry is trusted. */
  notTrusted: 7,
} as const;

/** A stream that may be a terminal. */
interface MaybeTerminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** What a command reads from and writes to: the streams of the process, or those of a test. */
export interface Streams {
  readonly stdin: Readable & MaybeTerminal;
  readonly stdout: Writable & MaybeTerminal;
  readonly stderr: Writable & MaybeTerminal;
}

type Style = Parameters<typeof styleText>[0];

/** Where a command writes: results to `out`, everything else to `note`. */
export interface Terminal {
  /** Writes a result to stdout. */
  out(text: string): void;
  /**
   * Writes a line to stderr. Removes terminal escapes, because names and messages are untrusted.
   */
  note(text: string): void;
  /** The text in a style. Unchanged if stdout is no terminal or NO_COLOR is set. */
  style(style: Style, text: string): string;
  /** The width of stdout in characters, if it is a terminal. */
  readonly columns?: number | undefined;
  /** Whether stderr is a terminal, on which a line can be overwritten. */
  readonly isInteractive: boolean;
  /** Replaces the current line on stderr. An empty line clears it. */
  overwrite(line: string): void;
}

/** Maximum bytes that wait for the reader of stderr. */
const MAX_UNREAD = 1024 * 1024;

/**
 * The terminal of these streams. `onClosed` is called once, when an output stream fails: without a
 * code if the reader closed the pipe of stdout (EPIPE), else with an exit code, after the failure is
 * reported. The command then cleans up and ends. Lines that it still writes to stderr are dropped. They are
 * dropped too, and the command goes on, if the reader of stderr closed the pipe or does not read it.
 */
export function openTerminal(
  { stdout, stderr }: Streams,
  onClosed: (code?: number) => void,
): Terminal {
  let isClosed = false;
  for (const stream of [stdout, stderr]) {
    // Each later write to a closed stream fails again.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isClosed) return;
      const isPipeClosed = error.code === 'EPIPE';
      if (isPipeClosed && stream === stderr) return;
      // If stderr itself failed, the failure cannot be reported.
      if (!isPipeClosed && stream === stdout)
        stderr.write(`toolfold: stdout cannot be written: ${error.message}\n`);
      isClosed = true;
      onClosed(isPipeClosed ? undefined : exitCode.failed);
    });
  }
  const note = (text: string): void => {
    if (!isClosed && stderr.writableLength < MAX_UNREAD) stderr.write(text);
  };
  // See https://no-color.org: the variable counts if it is set and not empty.
  const hasColour = stdout.isTTY === true && !process.env.NO_COLOR;
  return {
    out: (text) => void stdout.write(text),
    note: (text) => note(`${stripControls(text)}\n`),
    style: (style, text) => (hasColour ? styleText(style, text, { validateStream: false }) : text),
    columns: stdout.isTTY === true ? stdout.columns : undefined,
    isInteractive: stderr.isTTY === true,
    overwrite: (line) =>
      note(
        `\r\u001B[2K${stripControls(line)
          .replace(/\s+/g, ' ')
          .slice(0, (stderr.columns || 80) - 1)}`,
      ),
  };
}

/**
 * What is being written: entries of a session, and results of calls that have run, to a session, to files or to
 * stdout. A command ends when all of it is written. After a first signal it waits only for results.
 */
export class Unwritten {
  #count = 0;
  #outcomes = 0;
  #empty: PromiseWithResolvers<void> | undefined;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Whether the outcome of a call is among it, for which a signalled process waits. */
  get hasOutcome(): boolean {
    return this.#outcomes > 0;
  }

  /** Counts what is written until `writing` has settled. Returns its result. */
  async during<T>(
    writing: () => Promise<T>,
    { isOutcome = true }: { readonly isOutcome?: boolean } = {},
  ): Promise<T> {
    const outcomes = isOutcome ? 1 : 0;
    this.#count += 1;
    this.#outcomes += outcomes;
    try {
      return await writing();
    } finally {
      this.#count -= 1;
      this.#outcomes -= outcomes;
      if (this.isEmpty) this.#empty?.resolve();
    }
  }

  /** Resolves when nothing is being written. What this lets follow, such as the end of its turn, counts too. */
  async settled(): Promise<void> {
    while (!this.isEmpty) {
      this.#empty = Promise.withResolvers();
      await this.#empty.promise;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** What every command gets in addition to its own arguments. */
export interface CommandContext {
  readonly streams: Streams;
  /** Writes to the streams. */
  readonly terminal: Terminal;
  /**
   * Aborts on SIGINT, SIGTERM, SIGHUP and SIGQUIT. The command then stops what it started and
   * returns.
   */
  readonly signal: AbortSignal;
  /** When the command started, by the clock of `performance.now()`. */
  readonly startedAt: number;
  /** Outcomes for which a first signal waits. */
  readonly unwritten: Unwritten;
  /** Gives the command more milliseconds after a first signal. Absent where no signal ends the command. */
  readonly allowStopTime?: (milliseconds: number) => void;
  /** Sets the exit code of the process. */
  exitWith(code: number): void;
}

/** Milliseconds that are left of a time limit in seconds, which begins with the command. At least 1. */
export function timeLeft(
  seconds: number,
  { startedAt }: Pick<CommandContext, 'startedAt'>,
): number {
  return Math.max(1, Math.ceil(startedAt + seconds * 1000 - performance.now()));
}

/**
 * Writes lines for the user. While a question is open, other lines wait until it is answered.
 * Otherwise they would appear in the line that the user types, or between a question and its
 * subject.
 */
export class RunNotes {
  readonly #write: (text: string) => void;
  readonly #overwrite: (line: string) => void;
  #pending: string[] | undefined;
  /** Resolves when the open question is answered. */
  #question: Promise<void> | undefined;
  #hasProgress = false;

  /** `overwrite` replaces the current line of a terminal. */
  constructor(write: (text: string) => void, overwrite: (line: string) => void = () => {}) {
    this.#write = write;
    this.#overwrite = overwrite;
  }

  /** Writes a line at once. For lines that belong to the question itself. */
  readonly now = (text: string): void => {
    this.progress('');
    this.#write(text);
  };

  /** Shows a line that the next line replaces. An empty one clears it. Not shown during a question. */
  readonly progress = (line: string): void => {
    if (this.#pending || (line === '' && !this.#hasProgress)) return;
    this.#hasProgress = line !== '';
    this.#overwrite(line);
  };

  readonly note = (text: string): void => {
    if (this.#pending) this.#pending.push(text);
    else this.now(text);
  };

  /**
   * Runs `ask`, settles as it does, and holds back other lines meanwhile. Waits until earlier questions
   * are answered.
   */
  readonly during = async <T>(ask: () => Promise<T>): Promise<T> => {
    while (this.#question) await this.#question;
    const question = Promise.withResolvers<void>();
    this.#question = question.promise;
    const pending: string[] = [];
    this.progress('');
    this.#pending = pending;
    try {
      return await ask();
    } finally {
      this.#pending = undefined;
      for (const text of pending) this.now(text);
      this.#question = undefined;
      question.resolve();
    }
  };
}
