/** Milliseconds after which a command is shown that still runs. */
const SLOW = 300;

/** The commands that run. The user sees those that take a while, and can cancel the last one. */
export class RunningCommands {
  readonly #onChange: () => void;
  readonly #shown = new Set<{ readonly line: string }>();
  #last: AbortController | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get lines(): readonly string[] {
    return [...this.#shown].map(({ line }) => line);
  }

  /** Runs a command. Its line is shown once it takes a while. */
  async run(text: string, command: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const own = new AbortController();
    this.#last = own;
    const shown = { line: `${text} · Esc cancels` };
    const timer = setTimeout(() => {
      this.#shown.add(shown);
      this.#onChange();
    }, SLOW);
    try {
      await command(own.signal);
    } finally {
      clearTimeout(timer);
      if (this.#last === own) this.#last = undefined;
      if (this.#shown.delete(shown)) this.#onChange();
    }
  }

  /** Cancels the last command. Returns whether there was one. */
  cancel(): boolean {
    if (!this.#last || this.#last.signal.aborted) return false;
    this.#last.abort(new Error('The user cancelled the command.'));
    return true;
  }
}
