import type { ModelMessage } from 'ai';
import type { ToolLayer } from '../tools/index.ts';
import { type ApprovalPolicy, decided, type Settled } from './approvals/index.ts';
import { changedTools, rebound } from './conversation/index.ts';
import type { AgentEvent, ApprovalAnswer, PendingApproval } from './events/index.ts';

/** The reason of a repeated approval request. */
export const CHANGED = 'the tool or its arguments have changed since you were asked';

interface Asking {
  readonly policy: ApprovalPolicy;
  readonly layer: ToolLayer;
  readonly signal: AbortSignal;
  /** Where an answer of another process arrives, by approval id. */
  readonly remote: Map<string, (answer: ApprovalAnswer) => void>;
  /** Called with each answer before it takes effect. */
  readonly onAnswer: (asked: PendingApproval, answer: ApprovalAnswer) => Promise<void>;
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
  { policy, layer, signal, remote, onAnswer }: Asking,
): AsyncGenerator<AgentEvent, Answered> {
  const answers: Record<string, ApprovalAnswer> = {};
  let reached = messages;
  let open = asked;
  while (open.length > 0) {
    for (const one of open) {
      const { approvalId, id, name, arguments: given, reason } = one;
      const why = reason === undefined ? {} : { reason };
      const request = { id, name, arguments: given, ...why };
      const { source, ...answer } = await firstOf(remote, approvalId, signal, (asking) =>
        policy.settle({ ...request, signal: asking }),
      );
      await onAnswer(one, answer);
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

/** The answer of this process's user, or that of another process, whichever comes first. */
async function firstOf(
  remote: Asking['remote'],
  approvalId: string,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Settled>,
): Promise<Settled> {
  const given = new AbortController();
  const elsewhere = Promise.withResolvers<Settled>();
  remote.set(approvalId, (answer) => elsewhere.resolve({ ...answer, source: 'user' }));
  const asked = ask(AbortSignal.any([signal, given.signal]));
  try {
    return await Promise.race([asked, elsewhere.promise]);
  } finally {
    remote.delete(approvalId);
    // The question is withdrawn if another process has answered it.
    given.abort();
    asked.catch(() => {});
  }
}
