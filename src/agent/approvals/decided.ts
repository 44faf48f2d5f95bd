import type {
  AgentEvent,
  ApprovalAnswer,
  DecisionSource,
  PendingApproval,
} from '../events/index.ts';

/** The event of a decision about a call that the user was asked about. */
export function decided(
  { approvalId, id, name }: PendingApproval,
  { approved, reason, scope }: ApprovalAnswer,
  source: DecisionSource,
): AgentEvent {
  return {
    type: 'decision',
    id,
    name,
    approved,
    ...(reason === undefined ? {} : { reason }),
    approvalId,
    ...(scope === undefined ? {} : { scope }),
    source,
  };
}
