/** Milliseconds without a key after which a question is shown. */
const PAUSE = 1000;

/** Milliseconds before a question takes an answer: what is typed meanwhile was meant for something else. */
export const INERT = 300;

/** Calls later. Returns what takes that back. */
export type After = (milliseconds: number, call: () => void) => () => void;

/** Keys that have come in the meantime are taken before the call, also if the process was busy. */
const afterKeys: After = (milliseconds, call) => {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    immediate = setImmediate(call);
  }, milliseconds).unref();
  return () => {
    clearTimeout(timer);
    if (immediate) clearImmediate(immediate);
  };
};

/** Knows whether the user types. */
export class Typing {
  #stop: (() => void) | undefined;
  readonly #waiting = new Set<() => void>();
  readonly after: After;

  constructor(after: After = afterKeys) {
    this.after = after;
  }

  /** A key was pressed. */
  pressed(): void {
    this.#stop?.();
    this.#stop = this.after(PAUSE, () => {
      this.#stop = undefined;
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      for (const call of waiting) call();
    });
  }

  /** Whether a key was pressed just now. */
  get isOn(): boolean {
    return this.#stop !== undefined;
  }

  /** Calls when the user pauses. Returns what takes that back. */
  atPause(call: () => void): () => void {
    this.#waiting.add(call);
    return () => this.#waiting.delete(call);
  }
}
