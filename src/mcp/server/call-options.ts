/** Options of a call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Id of the model's call, for the answers to requests that the server sends meanwhile. */
  readonly toolCallId?: string | undefined;
}
