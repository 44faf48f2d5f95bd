/** Milliseconds after which a command is shown that still runs. */
const SLOW = 300;

/** What a command has said so far. */
interface Said {
  readonly lines: readonly string[];
}

/** A command that runs. */
interface Running {
  readonly text: string;
  readonly stop: AbortController;
  isShown: boolean;
  said: Said;
}

/** What a command gets: the signal that cancels it, and what shows the end of its output while it runs. */
export interface RunningCommand {
  readonly signal: AbortSignal;
  readonly says: (said: Said) => void;
}

/** The commands that run. The user sees those that take a while, and can cancel them, the last one first. */
export class RunningCommands {
  readonly #onChange: () => void;
  readonly #running: Running[] = [];

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
    const own: Running = { text, stop, isShown: false, said: { lines: [] } };
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
