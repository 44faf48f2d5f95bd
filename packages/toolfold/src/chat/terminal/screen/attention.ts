import type { Notify } from '@toolfold/config/internal/config';

const FOCUS = { in: '\u001B[I', out: '\u001B[O' } as const;

/** Mode 1004 of xterm: the terminal says when it gets and loses the focus. */
export const REPORTS_FOCUS = { on: '\u001B[?1004h', off: '\u001B[?1004l' } as const;

/** Calls the user when a turn has ended or a question opens, if the terminal has said that it has no focus. */
export class Attention {
  readonly #write: (data: string) => void;
  #hasFocus = true;
  #wasWorking = false;
  /** The question that was open. */
  #question: object | undefined;

  constructor(write: (data: string) => void) {
    this.#write = write;
  }

  /** Reads what the terminal sends. Returns whether it was about the focus. */
  takes(data: string): boolean {
    if (data !== FOCUS.in && data !== FOCUS.out) return false;
    this.#hasFocus = data === FOCUS.in;
    return true;
  }

  /** Compares with the last time. `question`: the one that is open. */
  watch(isWorking: boolean, question: object | undefined, notify: Notify = 'bell'): void {
    const hasEnded = this.#wasWorking && !isWorking;
    const isAsked = question !== undefined && question !== this.#question;
    this.#wasWorking = isWorking;
    this.#question = question;
    if (this.#hasFocus || notify === 'off' || !(isAsked || hasEnded)) return;
    const text = isAsked ? 'Toolfold asks you' : 'Toolfold has ended its turn';
    this.#write(notify === 'desktop' ? `\u001B]9;${text}\u0007` : '\u0007');
  }
}
