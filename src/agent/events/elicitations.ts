import type { ElicitationAnswer, FormField, FormProblem } from '../../tools/tool/index.ts';

/** What an MCP server asks of the user while one of its tools runs. Its texts are untrusted. */
export interface Elicitation {
  readonly elicitationId: string;
  /** The id of the call. */
  readonly id: string;
  /** The tool that runs. */
  readonly name: string;
  readonly server: string;
  readonly message: string;
  /** The fields to fill in. Empty if a page is to be opened. */
  readonly fields: readonly FormField[];
  /** The page to open. */
  readonly url?: string;
  /** Why the user's last answer was not accepted. */
  readonly problems?: readonly FormProblem[];
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
