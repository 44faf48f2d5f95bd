import { type Addressed, matchesTool } from '../tools/glob.ts';
import type { ApprovalAnswer, ApprovalOptions } from './approvals.ts';

/** What a policy needs to know of a tool. */
export interface ToolFacts {
  readonly address: Addressed;
  /** Of its definition; another one is another tool. */
  readonly fingerprint?: string;
  /** It only reads, on the word of a trusted source. */
  readonly isReadOnly: boolean;
}

/** Decides which calls want the user's word, and remembers the words that hold. */
export class ApprovalPolicy {
  readonly #options: ApprovalOptions;
  readonly #factsOf: (name: string) => ToolFacts;
  readonly #granted = new Set<string>();

  constructor(options: ApprovalOptions, factsOf: (name: string) => ToolFacts) {
    this.#options = options;
    this.#factsOf = factsOf;
  }

  /** Whether a call of the tool waits for the user. */
  asks(name: string): boolean {
    const { mode = 'annotations', allow = [] } = this.#options;
    const { address, isReadOnly } = this.#factsOf(name);
    if (mode === 'never' || this.#granted.has(this.#version(name))) return false;
    if (allow.some((glob) => matchesTool(glob, address))) return false;
    return mode === 'always' || !isReadOnly;
  }

  /** Takes an answer in; one that holds longer than once counts from now on, for this very tool. */
  take(name: string, { approved, scope = 'once' }: ApprovalAnswer): void {
    if (!approved || scope === 'once') return;
    this.#granted.add(this.#version(name));
    if (scope === 'always') this.#options.onAlways?.(name);
  }

  #version(name: string): string {
    return `${name}\0${this.#factsOf(name).fingerprint ?? ''}`;
  }
}
