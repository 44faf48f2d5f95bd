import { invalidOption } from '@toolfold/core/internal/errors.ts';
import type { ToolLayer } from '@toolfold/core/internal/tools';
import { raceAbort } from '@toolfold/core/internal/tools/values';
import {
  type ApprovalAnswer,
  type ApprovalOptions,
  type ApprovalRequest,
  type DecisionSource,
  grantsOf,
} from '../events/index.ts';
import { RECALL } from '../recall/definition/index.ts';
import { hasRecall } from '../recall/index.ts';
import { SUBAGENTS } from '../subagents/engine/index.ts';
import { isAllowedCall } from './allowed-calls.ts';
import { isAnswer, withinScope } from './answers.ts';

/** The part of a tool layer that a policy reads. */
type Tools = Pick<ToolLayer, 'addressOf' | 'fingerprintOf' | 'hintsOf'>;

/** What a user is asked about a call, as far as answers are remembered by it. */
type Question = Pick<ApprovalRequest, 'name' | 'askedBy' | 'askKey'>;

/** An answer, and who gave it. */
export interface Settled extends ApprovalAnswer {
  readonly source: DecisionSource;
}

/** Decides which calls need the user's approval, and remembers the approvals that stay valid. */
export class ApprovalPolicy {
  readonly #options: ApprovalOptions;
  readonly #tools: Tools;
  /**
   * Fingerprints of approved tools, by name, and of tools whose questions by hooks are approved, by name
   * and key. A changed definition counts as another tool.
   */
  readonly #granted = new Map<string, string>();

  constructor(options: ApprovalOptions, tools: Tools) {
    this.#options = options;
    this.#tools = tools;
  }

  /** Whether a call of the tool with these arguments needs the user's approval. */
  requiresApproval(name: string, given: unknown): boolean {
    const { mode = 'annotations', allow = [] } = this.#options;
    const tools = this.#tools;
    if (mode === 'never' || this.#isGranted(name)) return false;
    // It reads what the conversation already held.
    if (name === RECALL && hasRecall(tools)) return false;
    // Each call of a subagent is checked by itself.
    if (mode === 'annotations' && name === SUBAGENTS) return false;
    if (isAllowedCall(allow, { name, arguments: given }, tools)) return false;
    return mode === 'always' || !this.isRead(name);
  }

  /** Whether a trusted source says that the tool only reads. */
  isRead(name: string): boolean {
    return this.#tools.hintsOf(name)?.readOnlyHint === true;
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
    const { name, signal } = request;
    if (this.#isAnswered(request)) return { approved: true, source: 'grant' };
    const { ask } = this.#options;
    if (!ask)
      return {
        approved: false,
        reason: 'The call needs approval, and this application cannot ask its user.',
        source: 'policy',
      };
    const definition = this.#tools.fingerprintOf(name);
    // Without a definition an approval for the session would hold for any tool of this name.
    const question = definition === undefined ? withoutKey(request) : request;
    const answer = await raceAbort(ask(question), signal);
    if (!isAnswer(answer))
      throw invalidOption(
        'approvals.ask',
        'a function that resolves to { approved: true } or { approved: false }',
      );
    const isSame = definition === this.#tools.fingerprintOf(name);
    return this.take(question, isSame ? answer : { ...answer, scope: 'once' });
  }

  /**
   * Takes an answer of the user, with the scope that holds for the question. Stores an approval whose scope is longer
   * than `once`, and those of further tools. It is valid for this definition of the tool.
   */
  take(question: Question, answer: ApprovalAnswer): Settled {
    const { name, askedBy, askKey } = question;
    const definition = this.#tools.fingerprintOf(name);
    // Without a definition a longer approval would hold for any tool of this name.
    const known: ApprovalAnswer = definition === undefined ? { ...answer, scope: 'once' } : answer;
    const settled: Settled = { ...withinScope(question, known), source: 'user' };
    for (const one of grantsOf({ ...settled, askedBy })) this.grant(one.name, one.fingerprint);
    const { approved, scope = 'once' } = settled;
    if (!approved || scope === 'once' || definition === undefined) return settled;
    if (askedBy === 'setting') {
      this.grant(name, definition);
      if (scope === 'always') this.#options.onAlways?.(name);
    } else if (askKey !== undefined) this.grant(name, definition, askKey);
    return settled;
  }

  /** Makes an approval valid for the definition with this fingerprint. `askKey`: that of a hook's question. */
  grant(name: string, fingerprint: string, askKey?: string): void {
    this.#granted.set(keyText(name, askKey), fingerprint);
  }

  /** Whether nobody has to be asked: an earlier answer, or for a question of the settings a setting, holds. */
  #isAnswered({ name, arguments: given, ...asked }: ApprovalRequest): boolean {
    const { reason, askedBy, askKey } = asked;
    if (reason !== undefined) return false;
    if (askedBy === 'setting') return !this.requiresApproval(name, given);
    return askKey !== undefined && this.#isGranted(name, askKey);
  }

  #isGranted(name: string, askKey?: string): boolean {
    const granted = this.#granted.get(keyText(name, askKey));
    return granted !== undefined && granted === this.#tools.fingerprintOf(name);
  }
}

function withoutKey({ askKey: _, ...request }: ApprovalRequest): ApprovalRequest {
  return request;
}

function keyText(name: string, askKey?: string): string {
  return JSON.stringify([name, askKey]);
}
