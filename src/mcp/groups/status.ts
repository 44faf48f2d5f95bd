import type { ServerListing } from '../connection/index.ts';

/** Status of one server, as a row for display. */
export interface ServerStatus {
  readonly name: string;
  readonly state: 'idle' | 'connecting' | 'ready' | 'needs-auth' | 'failed' | 'closed';
  /** Why the server failed or wants a login. */
  readonly reason?: string;
  /** What to do about it, in one line. */
  readonly remedy?: string;
  /** The page of a login, where it is known. */
  readonly url?: string;
  /** Problems of the list of tools, as texts for people. */
  readonly warnings?: readonly string[];
  /** Tool names that the server lists more than once. */
  readonly duplicates?: readonly string[];
  /** Number of tools, as last listed. */
  readonly tools: number;
  /** When the tools were last listed, in milliseconds since 1970. */
  readonly listedAt?: number;
  /** Milliseconds that the last attempt to connect took. */
  readonly ms: number;
}

/** The row of a server whose tools were listed. */
export function readyStatus(
  name: string,
  listing: ServerListing,
  ms: number,
  state: 'ready' | 'idle' | 'connecting' | 'closed' = 'ready',
): ServerStatus {
  const { tools, warnings, duplicates } = listing;
  return {
    name,
    state,
    ...(warnings.length > 0 && { warnings }),
    ...(duplicates.length > 0 && { duplicates }),
    tools: tools.length,
    ms: Math.round(ms),
  };
}
