import type { ModelMessage } from 'ai';
import type { ToolLayer } from '../tools/index.ts';
import { type ApprovalPolicy, decided } from './approvals/index.ts';
import { changedTools, rebound } from './conversation/index.ts';
import type { AgentEvent, ApprovalAnswer, PendingApproval } from './events/index.ts';

/** The reason of a repeated approval request. */
export const CHANGED = 'the tool or its arguments have changed since you were asked';

interface Asking {
  readonly policy: ApprovalPolicy;
  readonly layer: ToolLayer;
  readonly signal: AbortSignal;
}

interface Answered {
  /** The messages, with the approved calls bound to the tools as they are now. */
  readonly reached: readonly ModelMessage[];
  /** By approval id. */
  readonly answers: Readonly<Record<string, ApprovalAnswer>>;
}

/** Asks the user about each call, and again if the tool or its arguments have changed since then. */
export async function* askUser(
  asked: readonly PendingApproval[],
  messages: readonly ModelMessage[],
  { policy, layer, signal }: Asking,
): AsyncGenerator<AgentEvent, Answered> {
  const answers: Record<string, ApprovalAnswer> = {};
  let reached = messages;
  let open = asked;
  while (open.length > 0) {
    for (const one of open) {
      const { approvalId, id, name, arguments: given, reason } = one;
      const why = reason === undefined ? {} : { reason };
      const { source, ...answer } = await policy.settle({
        id,
        name,
        arguments: given,
        ...why,
        signal,
      });
      answers[approvalId] = answer;
      yield decided(one, answer, source);
    }
    const approved = open.filter(({ approvalId }) => answers[approvalId]?.approved === true);
    const changed = await changedTools(reached, approved, layer, signal);
    reached = rebound(reached, changed);
    open = open.flatMap((one) => (changed.has(one.id) ? { ...one, reason: CHANGED } : []));
  }
  return { reached, answers };
}
