import { cleanLine, cleanText, oneLine } from '../view/index.ts';

/** Most characters of a line above the message box. */
const MAX_LINE = 200;
/** Most lines of a command that runs, and rows of a screen on which there are none. */
const MAX_SAID = 10;
const LOW = 12;

/** What is said of messages that another process has left. */
export const LEFT =
  'What waited when the chat ended is above the input. The next message sends it first, Esc takes it back.';
/** What stands below a line that begins with `!`. */
export const SHELL = 'Enter runs it in your shell. The model sees nothing of it.';

/** Most lines of the output of a command that runs. */
export function mostSaid(rows: number): number {
  return Math.max(0, Math.min(MAX_SAID, (rows - LOW) >> 1));
}

/** What waits above the message box: messages, and the lines of commands that run. */
export function waitingLines(
  queue: readonly string[],
  running: readonly string[],
  width: number,
): readonly string[] {
  return [
    ...queue.map((text) => cleanLine(`↑ ${text}`, MAX_LINE)),
    ...running.map((line) => cleanText(line, MAX_LINE).replaceAll('\n', ' ')),
  ].map((line) => oneLine(line, { width }));
}
