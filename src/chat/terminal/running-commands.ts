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

  /** A command begins. Returns what to call at its end. */
  begin(text: string): () => void {
    const command = { line: `${text} · Esc cancels` };
    const timer = setTimeout(() => {
      this.#shown.add(command);
      this.#onChange();
    }, SLOW);
    return () => {
      clearTimeout(timer);
      if (this.#shown.delete(command)) this.#onChange();
    };
  }
}
