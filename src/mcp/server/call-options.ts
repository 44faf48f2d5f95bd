/** How far a call is, as its server says. */
export interface CallProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Options of a call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Id of the model's call, for the answers to requests that the server sends meanwhile. */
  readonly toolCallId?: string | undefined;
  /** Asks the server for progress, and is called with it. It must not throw. */
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
}
