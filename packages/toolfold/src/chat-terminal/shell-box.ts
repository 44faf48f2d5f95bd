import { type Chat, Shell, shellCommandIn } from '../chat/index.ts';
import type { Typing } from '../terminal/index.ts';

/** Milliseconds between keys that nobody presses so fast: a terminal without marks around a paste sends it as keys. */
const AT_ONCE = 20;

/** What the message box needs of the screen for commands of the shell. */
interface ShellBoxOptions {
  /** Undefined until it is loaded. */
  readonly host: () => Chat | undefined;
  readonly commands: RunningCommands;
  readonly typing: Pick<Typing, 'after'>;
  readonly show: (lines: readonly string[]) => void;
  /** Puts a text back into the message box. */
  readonly takeBack: (texts: readonly string[]) => void;
  /** Adds a text to what the arrow keys bring back. */
  readonly remember: (text: string) => void;
}

/** Lines of the message box that begin with `!`. Each runs on an Enter of its own, and never out of a paste of several lines. */
export class ShellBox {
  readonly shell: Shell = new Shell();
  readonly #options: ShellBoxOptions;
  #keys = 0;
  #lines = 0;
  #stop: (() => void) | undefined;

  constructor(options: ShellBoxOptions) {
    this.#options = options;
  }

  /** The terminal has sent this. */
  pressed(data: string): void {
    // Sequences are marks, the mouse and special keys. They are no part of a text.
    if (data.startsWith('\u001B')) return;
    this.#stop?.();
    this.#keys += 1;
    if (data === '\r' || data === '\n') this.#lines += 1;
    // Keys of the same piece that have come meanwhile are taken first, however busy the process is.
    this.#stop = this.#options.typing.after(AT_ONCE, () => {
      this.#lines = 0;
    });
  }

  /** Runs what Enter has ended, if it is a command of the shell. Returns undefined if it is none. */
  submit(text: string): Promise<void> | undefined {
    const command = shellCommandIn(text);
    return command === undefined ? undefined : this.#run(text, command);
  }

  async #run(text: string, command: string): Promise<void> {
    const { commands, show, takeBack, remember } = this.#options;
    const host = this.#options.host();
    if (!host) {
      takeBack([text]);
      return show(['The chat is being loaded. Enter runs the command then.']);
    }
    remember(text);
    if (!(await this.#isAlone()))
      return show([`Not run, because it came with other lines as one piece: ${text}`]);
    const folder = host.talk.session?.record.folder ?? process.cwd();
    await commands.run(text, async ({ signal, says }) => {
      const { hide } = host;
      show(await this.shell.run(command, { folder, signal, hide, onOutput: says }));
    });
  }

  /** Whether the line that Enter has just ended stands alone. */
  async #isAlone(): Promise<boolean> {
    const keys = this.#keys;
    if (this.#lines > 1) return false;
    await new Promise<void>((resolve) => this.#options.typing.after(AT_ONCE, resolve));
    return this.#keys === keys;
  }
}

/** Milliseconds after which a command is shown that still runs. */
const SLOW = 300;

/** What a command has said so far. */
interface Said {
  readonly lines: readonly string[];
}

/** A command that runs. */
interface RunningShellCommand {
  readonly text: string;
  readonly stop: AbortController;
  isShown: boolean;
  said: Said;
}

/** What a command gets: the signal that cancels it, and what shows the end of its output while it runs. */
interface RunningCommand {
  readonly signal: AbortSignal;
  readonly says: (said: Said) => void;
}

/** The commands that run. The user sees those that take a while, and can cancel them, the last one first. */
export class RunningCommands {
  readonly #onChange: () => void;
  readonly #running: RunningShellCommand[] = [];

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** The lines of the commands: the last `most` lines that each has said, and the command. */
  lines(most: number): readonly string[] {
    return this.#running
      .filter(({ isShown }) => isShown)
      .flatMap(({ text, said }) => [
        ...(most > 0 ? said.lines.slice(-most) : []),
        `↑ ${text} · Esc cancels`,
      ]);
  }

  /** Runs a command. Its line is shown once it takes a while. */
  async run(text: string, command: (running: RunningCommand) => Promise<void>): Promise<void> {
    const stop = new AbortController();
    const own: RunningShellCommand = { text, stop, isShown: false, said: { lines: [] } };
    this.#running.push(own);
    const timer = setTimeout(() => {
      own.isShown = true;
      this.#onChange();
    }, SLOW);
    const says: RunningCommand['says'] = (said) => {
      own.said = said;
      if (own.isShown) this.#onChange();
    };
    try {
      await command({ signal: stop.signal, says });
    } finally {
      clearTimeout(timer);
      this.#running.splice(this.#running.indexOf(own), 1);
      if (own.isShown) this.#onChange();
    }
  }

  /** Cancels the last command. Returns whether there was one. */
  cancel(): boolean {
    const last = this.#running.findLast(({ stop }) => !stop.signal.aborted);
    last?.stop.abort(new Error('The user cancelled the command.'));
    return last !== undefined;
  }

  /** Cancels all. */
  cancelAll(): void {
    while (this.cancel());
  }
}
