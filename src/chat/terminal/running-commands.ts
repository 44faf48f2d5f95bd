/** Milliseconds after which a command is shown that still runs. */
const SLOW = 300;

/** The commands that take a while, so that the user sees what runs and how to end it. */
export class RunningCommands {
  readonly #onChange: () => void;
  readonly #shown = new Set<{ readonly line: string }>();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get lines(): readonly string[] {
    return [...this.#shown].map(({ line }) => line);
  }

  /** Runs a command. Its line is shown once it takes a while. */
  async during(text: string, run: () => Promise<void>): Promise<void> {
    const command = { line: `${text} · Esc cancels` };
    const timer = setTimeout(() => {
      this.#shown.add(command);
      this.#onChange();
    }, SLOW);
    try {
      await run();
    } finally {
      clearTimeout(timer);
      if (this.#shown.delete(command)) this.#onChange();
    }
  }
}
