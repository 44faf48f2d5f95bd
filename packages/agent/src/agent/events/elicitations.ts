import type { ElicitationAnswer, ElicitationRequest } from '@toolfold/core/internal/tools/tool';
import type { OfCall } from './approvals.ts';

/** What an MCP server asks of the user while one of its tools runs. Its texts are untrusted. */
export interface Elicitation extends OfCall, Omit<ElicitationRequest, 'signal'> {
  readonly elicitationId: string;
}

/** An elicitation to answer. */
export interface AskedElicitation extends Elicitation {
  /** Task id of the subagent that asks, as in `ApprovalRequest`. */
  readonly subagent?: string;
  /** Fires when no answer is needed any more. The answer is then ignored. */
  readonly signal: AbortSignal;
}

/** How the user answers what servers ask. */
export interface ElicitationOptions {
  /**
   * Asks the user while the tool waits, one question at a time. Without it, the app answers the event
   * `elicitation` with `agent.answerElicitation`.
   */
  readonly ask?: ((asked: AskedElicitation) => Promise<ElicitationAnswer>) | undefined;
}
