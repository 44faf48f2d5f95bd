import type { ToolCallOptions } from '@toolfold/core/internal/tools/tool';
import type { ListedTool, LiveConnection } from '../connection/index.ts';
import type { SendOptions } from '../transport/index.ts';

/** Options of a call. Requests that the server sends meanwhile go to the host of the call. */
export interface CallOptions extends Pick<ToolCallOptions, 'host'> {
  readonly signal?: AbortSignal | undefined;
}

/** Options of a request that is passed on unread. */
export interface RequestOptions extends Omit<SendOptions, 'timeout' | 'maxTime' | 'headers'> {
  /** Gets the function that gives back the place of the request among those that may run at once, before its end. */
  readonly onPlace?: ((giveBack: () => void) => void) | undefined;
}

/** What is sent to the server, and what its errors say of it. */
export interface Work {
  readonly name: string;
  readonly signal: AbortSignal | undefined;
  /** The tool as the caller knows it. */
  readonly named?: string | ListedTool;
  readonly isRepeatable: () => boolean;
  /** It may last as long as the connection, and does not count as one of the calls at once. */
  readonly isLasting?: boolean;
  readonly onPlace?: RequestOptions['onPlace'];
  /** Settles with what the server answers. `timeout`: milliseconds that are left. */
  readonly send: (live: LiveConnection, timeout: number) => Promise<unknown>;
}

/** How often a call was sent, and when its time ends. */
export interface Sending {
  readonly isRepeated?: boolean;
  readonly until?: number;
}
