/** A call that wants the user's word. */
export interface ApprovalRequest {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly reason?: string;
  /** The task of the subagent that asks; `a/b` for task `b` of a subagent that does `a`. */
  readonly subagent?: string;
  /** Fires when the turn, or the subagent that asks, is cancelled: nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** The user's word: for this call, for this tool while the agent lives, or kept by the app. */
export interface ApprovalAnswer {
  readonly approved: boolean;
  readonly scope?: 'once' | 'session' | 'always' | undefined;
  readonly reason?: string | undefined;
}

/**
 * `annotations`: tools that a trusted server says only read are run, everything else asks. `always`
 * asks for every call, `never` for none.
 */
export type ApprovalMode = 'annotations' | 'always' | 'never';

export interface ApprovalOptions {
  /** `annotations` if left out. */
  readonly mode?: ApprovalMode | undefined;
  /** Globs of tools that run without being asked for. */
  readonly allow?: readonly string[] | undefined;
  /**
   * Asks while the turn waits, one question at a time; left out, the turn ends with `approval` and
   * goes on with `answer`, and subagents are refused.
   */
  readonly ask?: ((request: ApprovalRequest) => Promise<ApprovalAnswer>) | undefined;
  /** Told of an answer that is to hold always, for the app to keep as a glob. */
  readonly onAlways?: ((name: string) => void) | undefined;
}
