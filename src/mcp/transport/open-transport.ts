import type { Transport } from './sdk.ts';
import type { TextTail } from './text-tail.ts';
/** A way to one server, with what is known of it beside the protocol. */
export interface OpenTransport {
  readonly transport: Transport;
  /** The end of what the server wrote to stderr. */
  readonly stderr?: TextTail;
  /** The end of what stood on stdout that is not the protocol. */
  readonly rubbish?: TextTail;
  /** How many lines of that there were so far. */
  readonly rubbishLines?: () => number;
  /** Why the server was cut off, where it was: it sent what no server should. */
  readonly breach?: () => string | undefined;
  /** Why the connection ended; resolves once its process has ended and its output was read. */
  readonly ended?: Promise<Failure>;
  /** Ends the connection politely; bounded in time. */
  readonly close: () => Promise<void>;
  /** Ends it at once. */
  readonly kill: () => Promise<void>;
}

/** Why a server cannot be used and what to do about it, for people; free of secrets. */
export interface Failure {
  readonly reason: string;
  readonly remedy: string;
}
