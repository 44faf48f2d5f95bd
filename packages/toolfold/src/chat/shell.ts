import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { formatCount, within } from '@toolfold/core/internal/values';
import {
  forgetGroup,
  guardGroup,
  signalGroup,
  startSupervisor,
} from '@toolfold/mcp/internal/processes';
import { stripControls } from '@toolfold/mcp/internal/redact.ts';
import { backticks, usageError } from '../terminal/index.ts';

/** Milliseconds between SIGTERM and SIGKILL, and for which what still holds the output is waited for then. */
const PATIENCE = 2000;
/** Bytes of output after which other work gets its turn: some programs never stop writing. */
const LARGE = 65_536;
/** Most lines on the screen, and most characters that the model gets. */
const MAX_LINES = 200;
const MAX_ADDED = 30_000;

const HINT = '/add <message> sends it to the model.';

/** The command of a line of the message box that begins with `!`. Several lines are a message, because they may be a paste. */
export function shellCommandIn(text: string): string | undefined {
  return /^!([^\r\n]*)$/.exec(text)?.[1]?.trim();
}

/** A command that has ended. */
interface ShellRun {
  readonly command: string;
  readonly output: OutputTail;
  /** How it ended, such as `exit code 1`. */
  readonly end: string;
}

interface ShellOptions {
  /** The folder of the session. */
  readonly folder: string;
  /** Ends the command and all that it has started. */
  readonly signal: AbortSignal;
  /** Replaces secrets. */
  readonly hide: (text: string) => string;
  /** Called with each output. The object is the same each time. */
  readonly onOutput: (output: OutputTail) => void;
}

/**
 * Commands of the user in the user's own shell and environment. The model knows nothing of them. They have no terminal
 * and no input.
 */
export class Shell {
  #last: ShellRun | undefined;

  /** Runs a command, and resolves with its lines when all that it has started has closed the output. */
  async run(command: string, options: ShellOptions): Promise<readonly string[]> {
    const { folder, hide } = options;
    if (command === '') throw usageError('There is no command.', 'Write !git status, for example.');
    if (!existsSync(folder))
      throw usageError(`The folder of the session is gone: ${folder}`, 'Create it again.');
    const isFirst = this.#last === undefined;
    const output = new OutputTail(hide);
    const end = await ended(command, output, options);
    this.#last = { command, output, end };
    const where = folder === process.cwd() ? '' : ` (in ${folder})`;
    const shown = output.lines.slice(-MAX_LINES);
    return [
      `$ ${command}${where}`,
      ...leftOut(output, shown.length),
      ...shown,
      `(${end}${isFirst && shown.length > 0 ? `; ${HINT}` : ''})`,
    ];
  }

  /** The output of the last command, as the model reads it. Undefined if none has ended. */
  get lastOutput(): string | undefined {
    return this.#last && addedText(this.#last);
  }
}

function addedText({ command, output, end }: ShellRun): string {
  const lines: string[] = [];
  let size = 0;
  for (const line of output.lines.toReversed()) {
    size += line.length + 1;
    if (size > MAX_ADDED) break;
    lines.unshift(line);
  }
  const text = [`$ ${command}`, ...leftOut(output, lines.length), ...lines].join('\n');
  const fence = backticks(text, 3);
  return `I ran this in my shell (${end}):\n${fence}\n${text}\n${fence}`;
}

/** The line in the place of those before the last ones. */
function leftOut({ dropped, lines }: OutputTail, shown: number): readonly string[] {
  const count = dropped + lines.length - shown;
  return count === 0 ? [] : [`… ${formatCount(count, 'line')} before`];
}

/** Runs the command, and resolves with how it ended. */
async function ended(
  command: string,
  output: OutputTail,
  { folder, signal, onOutput }: ShellOptions,
): Promise<string> {
  const shell = process.env.SHELL || 'sh';
  startSupervisor();
  // In a session of its own, without a terminal: it cannot draw over the chat, and ends with its whole group.
  const child = spawn(shell, ['-c', command], {
    ...{ cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  const { pid } = child;
  if (pid !== undefined) guardGroup(pid);
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new TextDecoder();
    stream?.on('data', (chunk: Buffer) => {
      output.add(decoder.decode(chunk, { stream: true }));
      onOutput(output);
      if (chunk.length < LARGE) return;
      stream.pause();
      setImmediate(() => stream.resume());
    });
  }
  const closed = new Promise<string>((resolve, reject) => {
    child.once('close', (code, by) => resolve(by ? `ended by ${by}` : `exit code ${code}`));
    child.once('error', (error) =>
      reject(
        usageError(
          `The shell ${shell} cannot be started: ${errorMessage(error)}`,
          'Set SHELL to another one.',
        ),
      ),
    );
  });
  const cancel = () => void end(child, closed);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    const words = await closed;
    return signal.aborted ? `cancelled, ${words}` : words;
  } finally {
    signal.removeEventListener('abort', cancel);
    if (pid !== undefined) forgetGroup(pid);
  }
}

/** Ends the whole group. What has left it and still holds the output is not waited for. */
async function end({ pid, stdout, stderr }: ChildProcess, closed: Promise<unknown>): Promise<void> {
  const isOver = closed.then(
    () => true,
    () => true,
  );
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (pid !== undefined) signalGroup(pid, signal);
    if (await within(PATIENCE, isOver)) return;
  }
  stdout?.destroy();
  stderr?.destroy();
}

/** Characters that are kept of an output at least. */
const KEPT = 100_000;

/** The end of an output that may be endless: bounded, as lines, without secrets and control characters. */
export class OutputTail {
  readonly #hide: (text: string) => string;
  #text = '';
  #dropped = 0;

  /** `hide` replaces secrets. */
  constructor(hide: (text: string) => string) {
    this.#hide = hide;
  }

  add(text: string): void {
    this.#text += text;
    if (this.#text.length < 2 * KEPT) return;
    // Secrets are replaced before the cut: half of one would not be known.
    const whole = this.#hide(this.#text);
    const cut = whole.indexOf('\n', whole.length - KEPT) + 1 || whole.length - KEPT;
    this.#dropped += whole.slice(0, cut).split('\n').length - 1;
    this.#text = whole.slice(cut);
  }

  /** Lines that were dropped before those that are kept. */
  get dropped(): number {
    return this.#dropped;
  }

  /** A carriage return begins a line anew, as bars of progress do. */
  get lines(): readonly string[] {
    const drawn = this.#text
      .replace(/\r+\n/g, '\n')
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => line.slice(line.lastIndexOf('\r') + 1));
    const text = this.#hide(stripControls(this.#hide(drawn.join('\n'))));
    return text === '' ? [] : text.split('\n');
  }
}
