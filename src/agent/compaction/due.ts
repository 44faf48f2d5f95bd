/** Tokens that stay free in a model's context window: for its answer, and for the request of a summary. */
export const RESERVE = 16_384;

export interface ContextUse {
  /** Tokens of the next request. */
  readonly used: number;
  /** The context window of the model, in tokens. */
  readonly window: number;
  /** `RESERVE` if left out. At most half of the window. */
  readonly reserve?: number | undefined;
}

/** Whether a conversation must become shorter before its next request. */
export function isDue({ used, window, reserve = RESERVE }: ContextUse): boolean {
  return used + Math.min(reserve, window / 2) > window;
}
