import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import { stripControls } from '@toolfold/mcp/internal/mcp/controls';
import { exitCode } from './exit-code.ts';

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
