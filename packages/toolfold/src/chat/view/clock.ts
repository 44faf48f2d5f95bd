const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Milliseconds of a frame. */
export const FRAME = 100;

/** Since when things run, as far as this screen has seen them. */
export class Clock {
  readonly #now: () => number;
  readonly #since = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The number of the frame. */
  get tick(): number {
    return Math.floor(this.#now() / FRAME);
  }

  /** Nothing runs any more. */
  clear(): void {
    this.#since.clear();
  }

  /** The spinner of what runs, and its whole seconds. */
  of(id: string): { readonly frame: string; readonly seconds: number } {
    const now = this.#now();
    const since = this.#since.get(id) ?? now;
    this.#since.set(id, since);
    const frame = FRAMES[this.tick % FRAMES.length] ?? '';
    return { frame, seconds: Math.floor((now - since) / 1000) };
  }
}
