import { matchesTool } from '../tools/glob.ts';
import type { ToolLayer } from '../tools/layer.ts';
import type { ApprovalAnswer, ApprovalOptions } from './approvals.ts';

/** What a policy needs to know of tools. */
type Tools = Pick<ToolLayer, 'addressOf' | 'fingerprintOf' | 'isKnownReadOnly'>;

/** Decides which calls want the user's word, and remembers the words that hold. */
export class ApprovalPolicy {
  readonly #options: ApprovalOptions;
  readonly #tools: Tools;
  /** Fingerprints of definitions, by name: another definition is another tool. */
  readonly #granted = new Map<string, string | undefined>();

  constructor(options: ApprovalOptions, tools: Tools) {
    this.#options = options;
    this.#tools = tools;
  }

  /** Whether a call of the tool waits for the user. */
  asks(name: string): boolean {
    const { mode = 'annotations', allow = [] } = this.#options;
    const tools = this.#tools;
    if (mode === 'never' || this.#isGranted(name)) return false;
    const address = tools.addressOf(name);
    if (allow.some((glob) => matchesTool(glob, address))) return false;
    return mode === 'always' || !tools.isKnownReadOnly(name);
  }

  /** Takes an answer in; one that holds longer than once counts from now on, for this very tool. */
  take(name: string, { approved, scope = 'once' }: ApprovalAnswer): void {
    if (!approved || scope === 'once') return;
    this.#granted.set(name, this.#tools.fingerprintOf(name));
    if (scope === 'always') this.#options.onAlways?.(name);
  }

  #isGranted(name: string): boolean {
    return this.#granted.has(name) && this.#granted.get(name) === this.#tools.fingerprintOf(name);
  }
}
