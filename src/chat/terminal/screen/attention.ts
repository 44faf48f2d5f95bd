import type { Notify } from '../../../config/index.ts';

const FOCUS = { in: '\u001B[I', out: '\u001B[O' } as const;

/** Mode 1004 of xterm: the terminal says when it gets and loses the focus. */
export const REPORTS_FOCUS = { on: '\u001B[?1004h', off: '\u001B[?1004l' } as const;

/** What the user may want to know while another window has the focus. */
export interface Watched {
  readonly isWorking: boolean;
  /** The question that is open. */
  readonly question: object | undefined;
}

/** Calls the user when a turn has ended or a question opens, if the terminal has said that it has no focus. */
export class Attention {
  readonly #write: (data: string) => void;
  #hasFocus = true;
  #before: Watched = { isWorking: false, question: undefined };

  constructor(write: (data: string) => void) {
    this.#write = write;
  }

  /** Reads what the terminal sends. Returns whether it was about the focus. */
  takes(data: string): boolean {
    if (data !== FOCUS.in && data !== FOCUS.out) return false;
    this.#hasFocus = data === FOCUS.in;
    return true;
  }

  /** Compares with the last time. */
  watch(now: Watched, notify: Notify = 'bell'): void {
    const { isWorking, question } = this.#before;
    this.#before = now;
    if (this.#hasFocus || notify === 'off') return;
    const isAsked = now.question !== undefined && now.question !== question;
    const text = isAsked ? 'Toolfold asks you' : 'Toolfold has ended its turn';
    if (!isAsked && !(isWorking && !now.isWorking)) return;
    this.#write(notify === 'desktop' ? `\u001B]9;${text}\u0007` : '\u0007');
  }
}
