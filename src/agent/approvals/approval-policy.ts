import { matchesTool } from '../../tools/access/index.ts';
import type { ToolLayer } from '../../tools/index.ts';
import { own, raceAbort } from '../../tools/values/index.ts';
import type { ApprovalAnswer, ApprovalOptions, ApprovalRequest } from '../events/index.ts';
import { refuse } from '../settings/index.ts';
import { SUBAGENTS } from '../subagents/engine/index.ts';

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
    // What its children do is judged call by call.
    if (mode === 'annotations' && name === SUBAGENTS) return false;
    const address = tools.addressOf(name);
    if (allow.some((glob) => matchesTool(glob, address))) return false;
    return mode === 'always' || !tools.isKnownReadOnly(name);
  }

  /** Whether the app can ask its user while the turn waits. */
  get canAsk(): boolean {
    return this.#options.ask !== undefined;
  }

  /** The user's word, now; refused where nobody can be asked. Rejects as the app's `ask` does, and when the signal fires. */
  async settle(request: ApprovalRequest): Promise<ApprovalAnswer> {
    const { name, reason, signal } = request;
    // An earlier answer may have said "for the session".
    if (reason === undefined && !this.asks(name)) return { approved: true };
    const { ask } = this.#options;
    if (!ask)
      return { approved: false, reason: 'It needs approval, and nobody can be asked here.' };
    const answer = await raceAbort(ask(request), signal);
    if (typeof own(answer, 'approved') !== 'boolean')
      refuse(
        'approvals.ask',
        'a function that resolves to { approved: true } or { approved: false }',
      );
    this.take(name, answer);
    return answer;
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
