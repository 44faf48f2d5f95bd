import type { ToolCallOptions } from '../../tools/tool/index.ts';

/** Options of a call. Requests that the server sends meanwhile go to the host of the call. */
export interface CallOptions extends Pick<ToolCallOptions, 'host'> {
  readonly signal?: AbortSignal | undefined;
}
