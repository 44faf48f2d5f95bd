import { invalidOption } from '../../errors.ts';
import { matchesTool } from '../../tools/access/index.ts';
import type { ToolLayer } from '../../tools/index.ts';
import { raceAbort } from '../../tools/values/index.ts';
import { RECALL } from '../compaction/index.ts';
import type {
  ApprovalAnswer,
  ApprovalOptions,
  ApprovalRequest,
  DecisionSource,
} from '../events/index.ts';
import { hasRecall } from '../recall/index.ts';
import { SUBAGENTS } from '../subagents/engine/index.ts';
import { isAnswer } from './is-answer.ts';

/** The part of a tool layer that a policy reads. */
type Tools = Pick<ToolLayer, 'addressOf' | 'fingerprintOf' | 'hintsOf'>;

/** An answer, and who gave it. */
export interface Settled extends ApprovalAnswer {
  readonly source: DecisionSource;
}

/** Decides which calls need the user's approval, and remembers the approvals that stay valid. */
export class ApprovalPolicy {
  readonly #options: ApprovalOptions;
  readonly #tools: Tools;
  /** Fingerprints of approved tools, by name. A changed definition counts as another tool. */
  readonly #granted = new Map<string, string | undefined>();

  constructor(options: ApprovalOptions, tools: Tools) {
    this.#options = options;
    this.#tools = tools;
  }

  /** Whether a call of the tool needs the user's approval. */
  requiresApproval(name: string): boolean {
    const { mode = 'annotations', allow = [] } = this.#options;
    const tools = this.#tools;
    if (mode === 'never' || this.#isGranted(name)) return false;
    // It reads what the conversation already held.
    if (name === RECALL && hasRecall(tools)) return false;
    // Each call of a subagent is checked by itself.
    if (mode === 'annotations' && name === SUBAGENTS) return false;
    const address = tools.addressOf(name);
    if (allow.some((glob) => matchesTool(glob, address))) return false;
    return mode === 'always' || tools.hintsOf(name)?.readOnlyHint !== true;
  }

  /** Whether the app can ask its user while the turn waits. */
  get canAsk(): boolean {
    return this.#options.ask !== undefined;
  }

  /**
   * Asks the user and returns the answer. Denies if the app cannot ask. Rejects if the app's `ask`
   * rejects and when the signal fires.
   */
  async settle(request: ApprovalRequest): Promise<Settled> {
    const { name, reason, signal } = request;
    // An earlier answer may have approved the tool for the session.
    if (reason === undefined && !this.requiresApproval(name))
      return { approved: true, source: 'grant' };
    const { ask } = this.#options;
    if (!ask)
      return {
        approved: false,
        reason: 'The call needs approval, and this application cannot ask its user.',
        source: 'policy',
      };
    const answer = await raceAbort(ask(request), signal);
    if (!isAnswer(answer))
      throw invalidOption(
        'approvals.ask',
        'a function that resolves to { approved: true } or { approved: false }',
      );
    this.remember(name, answer);
    return { ...answer, source: 'user' };
  }

  /** Stores an approval whose scope is longer than `once`. It is valid for this definition of the tool. */
  remember(name: string, { approved, scope = 'once' }: ApprovalAnswer): void {
    if (!approved || scope === 'once') return;
    this.#granted.set(name, this.#tools.fingerprintOf(name));
    if (scope === 'always') this.#options.onAlways?.(name);
  }

  /** Makes an approval of an earlier process valid, for the definition with this fingerprint. */
  grant(name: string, fingerprint: string): void {
    this.#granted.set(name, fingerprint);
  }

  #isGranted(name: string): boolean {
    return this.#granted.has(name) && this.#granted.get(name) === this.#tools.fingerprintOf(name);
  }
}
