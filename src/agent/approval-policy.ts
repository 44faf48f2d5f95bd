import { matchesTool } from '../tools/glob.ts';
import { addressOf } from './address.ts';
import type { ApprovalAnswer, ApprovalOptions } from './approvals.ts';

/** Decides which calls want the user's word, and remembers the words that hold. */
export class ApprovalPolicy {
  readonly #options: ApprovalOptions;
  readonly #isReadOnly: (name: string) => boolean;
  readonly #granted = new Set<string>();

  /** `isReadOnly`: on the word of a trusted source, or false. */
  constructor(options: ApprovalOptions, isReadOnly: (name: string) => boolean) {
    this.#options = options;
    this.#isReadOnly = isReadOnly;
  }

  /** Whether a call of the tool waits for the user. */
  asks(name: string): boolean {
    const { mode = 'annotations', allow = [] } = this.#options;
    if (mode === 'never' || this.#granted.has(name)) return false;
    if (allow.some((glob) => matchesTool(glob, addressOf(name)))) return false;
    return mode === 'always' || !this.#isReadOnly(name);
  }

  /** Takes an answer in; one that holds longer than once counts from now on. */
  take(name: string, { approved, scope = 'once' }: ApprovalAnswer): void {
    if (!approved || scope === 'once') return;
    this.#granted.add(name);
    if (scope === 'always') this.#options.onAlways?.(name);
  }
}
