import { styleText } from 'node:util';
import { stripControls } from '../../mcp/secrets/index.ts';
import { exitCode } from './exit-code.ts';

type Style = Parameters<typeof styleText>[0];

/** Where a command writes: results to `out`, everything else to `note`. */
export interface Terminal {
  /** Writes a result to stdout. */
  out(text: string): void;
  /** Writes a line for people to stderr, without terminal escapes: names and messages are somebody else's. */
  note(text: string): void;
  /** The text in a style, where stdout is a terminal and NO_COLOR is not set. */
  style(style: Style, text: string): string;
  /** Whether stderr is a terminal, on which a line may be written over. */
  readonly isInteractive: boolean;
  /** Writes the line over the last one; an empty one clears it. */
  overwrite(line: string): void;
}

/**
 * The terminal of this process. `onClosed` is called once, when nobody reads any more: with no code
 * where the reader went away (EPIPE), else with the exit code of a failure that has been reported.
 * The command ends itself then, in order; what it still writes for people is dropped.
 */
export function openTerminal(onClosed: (code?: number) => void): Terminal {
  const { stdout, stderr } = process;
  let isClosed = false;
  for (const stream of [stdout, stderr]) {
    // Each further write to a closed stream fails again.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isClosed) return;
      const isReaderGone = error.code === 'EPIPE';
      // Nothing more can be said where stderr itself is what failed.
      if (!isReaderGone && stream === stdout)
        stderr.write(`toolfold: stdout cannot be written: ${error.message}\n`);
      isClosed = true;
      onClosed(isReaderGone ? undefined : exitCode.failed);
    });
  }
  const note = (text: string): void => {
    if (!isClosed) stderr.write(text);
  };
  // See https://no-color.org: set and not empty, whatever the value.
  const hasColour = stdout.isTTY === true && !process.env.NO_COLOR;
  return {
    out: (text) => void stdout.write(text),
    note: (text) => note(`${stripControls(text)}\n`),
    style: (style, text) => (hasColour ? styleText(style, text, { validateStream: false }) : text),
    isInteractive: stderr.isTTY === true,
    overwrite: (line) =>
      note(
        `\r\u001B[2K${stripControls(line)
          .replace(/\s+/g, ' ')
          .slice(0, (stderr.columns || 80) - 1)}`,
      ),
  };
}
