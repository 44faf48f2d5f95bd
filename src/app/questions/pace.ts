import type { Phase } from './question.ts';

/** Milliseconds without a key after which a question is shown, and for which it is inert then. */
const PAUSE = 1000;
const INERT = 300;

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

/** When a question is shown, and from when on it takes keys. */
export class Pace {
  readonly #onChange: () => void;
  #phase: Phase = 'coming';
  #stop: () => void = () => {};

  readonly #after: After;

  /** `isFollowUp`: the question follows from an answer, so that it is shown at once. Others wait for a pause. */
  constructor(typing: Typing, isFollowUp: boolean, onChange: () => void) {
    this.#after = typing.after;
    this.#onChange = onChange;
    if (typing.isOn && !isFollowUp) this.#stop = typing.atPause(() => this.rest());
    else this.rest();
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** The next keys may still be meant for something else: the question is inert from now on for a moment. */
  rest(): void {
    this.#stop();
    this.#phase = 'inert';
    this.#stop = this.#after(INERT, () => {
      this.#phase = 'open';
      this.#onChange();
    });
    this.#onChange();
  }

  /** A question that is shown takes no keys for a moment. */
  interrupt(): void {
    if (this.#phase !== 'coming') this.rest();
  }

  /** The question is closed. */
  close(): void {
    this.#stop();
  }
}
