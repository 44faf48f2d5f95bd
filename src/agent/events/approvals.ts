import type { ApprovalSettings } from '../../config/index.ts';

/** A call that needs the user's approval. */
export interface ApprovalRequest {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly reason?: string;
  /** Who requires the approval: a hook, or the settings. `hook` if nobody knows. */
  readonly askedBy: 'hook' | 'setting';
  /** The key of a hook's question. With it, an approval may hold for the session. */
  readonly askKey?: string;
  /** What differs from the earlier question about this call, such as `parameters.path: required now`. */
  readonly changes?: readonly string[];
  /** Task id of the subagent that asks. `a/b` means task `b`, started by the subagent of task `a`. */
  readonly subagent?: string;
  /** Fires when the turn or the asking subagent is cancelled. The answer is then ignored. */
  readonly signal?: AbortSignal;
}

/** How long an approval holds. */
export type ApprovalScope = 'once' | 'session' | 'always';

/**
 * The user's answer. Its scope is this call (`once`), this tool and agent (`session`), or `always`, which the
 * app stores. If a hook has asked, an approval holds once, or for the session with its key: see `approvalScopes`.
 */
export interface ApprovalAnswer {
  readonly approved: boolean;
  readonly scope?: ApprovalScope | undefined;
  readonly reason?: string | undefined;
}

/** Which calls need the user's approval, and how the user is asked. */
export interface ApprovalOptions extends ApprovalSettings {
  /**
   * Asks the user while the turn waits, one question at a time. Without it, the turn ends with
   * `approval` and continues with `agent.answer`, and calls of subagents that need approval are denied.
   */
  readonly ask?: ((request: ApprovalRequest) => Promise<ApprovalAnswer>) | undefined;
  /** Called after an answer with scope `always`. The app stores the name as a glob. */
  readonly onAlways?: ((name: string) => void) | undefined;
}
