import type { ModelMessage } from 'ai';
import { ToolfoldError } from '../../errors.ts';
import { own } from '../../tools/values/index.ts';
import { answered } from '../conversation/index.ts';
import type { ApprovalAnswer, PendingApproval } from '../events/index.ts';
import { refuse } from '../settings/index.ts';

/** Approvals that a conversation waits for, with the answers to some of them until there are answers to all. */
export class PendingApprovals {
  #asked: readonly PendingApproval[];
  #answers: Readonly<Record<string, ApprovalAnswer>> = {};

  constructor(asked: readonly PendingApproval[]) {
    this.#asked = asked;
  }

  /** Those that have no answer yet. */
  get open(): readonly PendingApproval[] {
    return this.#asked.filter(({ approvalId }) => !Object.hasOwn(this.#answers, approvalId));
  }

  /** All of them, by the tool that is asked for. */
  get answers(): readonly (readonly [name: string, answer: ApprovalAnswer])[] {
    return this.#asked.flatMap(({ approvalId, name }) => {
      const answer = this.#answers[approvalId];
      return answer ? [[name, answer] as const] : [];
    });
  }

  /** Those that the user has approved. */
  get approved(): readonly PendingApproval[] {
    return this.#asked.filter(({ approvalId }) => this.#answers[approvalId]?.approved === true);
  }

  /** Asks about these calls again, with the reason; what was answered of others stays answered. */
  reopen(ids: { has(id: string): boolean }, reason: string): void {
    const isOpen = (asked: PendingApproval) => ids.has(asked.id);
    const kept = this.#asked.filter((asked) => !isOpen(asked)).map(({ approvalId }) => approvalId);
    this.#answers = Object.fromEntries(
      Object.entries(this.#answers).filter(([approvalId]) => kept.includes(approvalId)),
    );
    this.#asked = this.#asked.map((asked) => (isOpen(asked) ? { ...asked, reason } : asked));
  }

  /** As they stand in the messages. */
  get messages(): ModelMessage[] {
    return answered(this.#answers);
  }

  /** Forgets all there was. */
  replace(asked: readonly PendingApproval[]): void {
    this.#asked = asked;
    this.#answers = {};
  }

  /** Goes on with what the messages ask for: answers to some of it stay until there are answers to all. */
  keep(asked: readonly PendingApproval[]): void {
    const answers = this.#answers;
    this.replace(asked);
    const isAsked = ([approvalId]: [string, unknown]) =>
      asked.some((one) => one.approvalId === approvalId);
    const kept = Object.entries(answers).filter(isAsked);
    // What is answered whole would wait for nothing any more.
    if (kept.length < asked.length) this.#answers = Object.fromEntries(kept);
  }

  /** Throws `invalid-option` where nothing is asked, or something else; uses nothing up. */
  check(answers: Readonly<Record<string, ApprovalAnswer>>): void {
    const ids = this.open.map(({ approvalId }) => approvalId);
    const unknown = Object.keys(answers).find((id) => !ids.includes(id));
    if (unknown !== undefined || ids.length === 0) {
      throw new ToolfoldError(
        'invalid-option',
        unknown === undefined ? 'No approval is pending.' : `No approval "${unknown}" is pending.`,
        'Use the ids of `agent.pending`.',
      );
    }
    for (const [id, answer] of Object.entries(answers)) {
      if (typeof own(answer, 'approved') !== 'boolean')
        refuse(`answers.${id}`, '{ approved: true } or { approved: false }');
    }
  }

  /** Takes answers in; throws as `check` does. */
  take(answers: Readonly<Record<string, ApprovalAnswer>>): void {
    this.check(answers);
    this.#answers = { ...this.#answers, ...answers };
  }
}
