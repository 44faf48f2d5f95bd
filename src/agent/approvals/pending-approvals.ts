import type { ModelMessage } from 'ai';
import { invalidOption, ToolfoldError } from '../../errors.ts';
import { ownProperty } from '../../tools/values/index.ts';
import { answered } from '../conversation/index.ts';
import type { AgentEvent, ApprovalAnswer, PendingApproval } from '../events/index.ts';
import { decided } from './decided.ts';
import { isAnswer } from './is-answer.ts';
import { withinScope } from './scopes.ts';

/** Why the user is asked again, and about which arguments. */
export type Again = Required<Pick<PendingApproval, 'reason' | 'changes' | 'arguments'>>;

/** The approvals that a conversation waits for. Keeps partial answers until all are answered. */
export class PendingApprovals {
  #asked: readonly PendingApproval[] = [];
  #answers: Readonly<Record<string, ApprovalAnswer>> = {};

  /** `answers`: given before, by approval id. */
  constructor(
    asked: readonly PendingApproval[],
    answers: Readonly<Record<string, ApprovalAnswer>> = {},
  ) {
    this.#answers = answers;
    this.keep(asked);
  }

  /** All approvals, answered or not. */
  get asked(): readonly PendingApproval[] {
    return this.#asked;
  }

  /** Approvals without an answer. */
  get open(): readonly PendingApproval[] {
    return this.#asked.filter(({ approvalId }) => !Object.hasOwn(this.#answers, approvalId));
  }

  /** All answers, each with its question. */
  get answers(): readonly (readonly [asked: PendingApproval, answer: ApprovalAnswer])[] {
    return this.#asked.flatMap((asked) => {
      const answer = this.#answers[asked.approvalId];
      return answer ? [[asked, answer] as const] : [];
    });
  }

  /** Approvals that the user has granted. */
  get approved(): readonly PendingApproval[] {
    return this.#asked.filter(({ approvalId }) => this.#answers[approvalId]?.approved === true);
  }

  /** Opens the approvals of these calls again, by call id. Other answers stay. */
  reopen(again: ReadonlyMap<string, Again>): void {
    const isOpen = (asked: PendingApproval) => again.has(asked.id);
    const kept = this.#asked.filter((asked) => !isOpen(asked)).map(({ approvalId }) => approvalId);
    this.#answers = Object.fromEntries(
      Object.entries(this.#answers).filter(([approvalId]) => kept.includes(approvalId)),
    );
    this.#asked = this.#asked.map((asked) => ({ ...asked, ...again.get(asked.id) }));
  }

  /** The answers as messages. */
  get messages(): ModelMessage[] {
    return answered(this.#answers);
  }

  /** Replaces all approvals and discards the answers. */
  replace(asked: readonly PendingApproval[]): void {
    this.#asked = asked;
    this.#answers = {};
  }

  /** Replaces the approvals by those of the messages. Partial answers to them stay. */
  keep(asked: readonly PendingApproval[]): void {
    const answers = this.#answers;
    this.replace(asked);
    const isAsked = ([approvalId]: [string, unknown]) =>
      asked.some((one) => one.approvalId === approvalId);
    const kept = Object.entries(answers).filter(isAsked);
    // A complete set of answers is dropped: with it, no approval would be open and the turn could not continue.
    if (kept.length < asked.length) this.#answers = Object.fromEntries(kept);
  }

  /** Throws `invalid-option` if no approval is pending or an id is unknown. Changes nothing. */
  check(answers: Readonly<Record<string, ApprovalAnswer>>): void {
    const ids = this.open.map(({ approvalId }) => approvalId);
    const unknown = Object.keys(answers).find((id) => !ids.includes(id));
    if (unknown !== undefined || ids.length === 0) {
      throw new ToolfoldError(
        'invalid-option',
        unknown === undefined ? 'No approval is pending.' : `No approval "${unknown}" is pending.`,
        'Use the approval ids in `agent.pending`.',
      );
    }
    for (const [id, answer] of Object.entries(answers)) {
      if (!isAnswer(answer))
        throw invalidOption(`answers.${id}`, '{ approved: true } or { approved: false }');
    }
  }

  /** Stores answers and returns their events. Throws like `check`. */
  take(answers: Readonly<Record<string, ApprovalAnswer>>): readonly AgentEvent[] {
    this.check(answers);
    const given = this.#asked.flatMap((asked) => {
      const answer = ownProperty(answers, asked.approvalId) as ApprovalAnswer | undefined;
      return answer ? [[asked, withinScope(asked, answer)] as const] : [];
    });
    const byId = given.map(([{ approvalId }, answer]) => [approvalId, answer]);
    this.#answers = { ...this.#answers, ...Object.fromEntries(byId) };
    return given.map(([asked, answer]) => decided(asked, answer, 'user'));
  }
}
