import type { Channel } from './channel.ts';
import type { Transport } from './sdk.ts';
import type { TextTail } from './text-tail.ts';
import type { Watch } from './watched-transport.ts';

/** How a server over HTTP last answered each method of the handshake. The SDK's errors do not always say it. */
export type HandshakeAnswers = Map<unknown, Pick<Response, 'status' | 'headers'>>;

/** A transport to one server, with its output and its end. */
export interface OpenTransport extends OpenedTransport {
  readonly watch: Watch;
  /** Sends our requests, and takes those of the server. */
  readonly channel: Channel;
}

/** A transport before its messages are watched. */
export interface OpenedTransport {
  readonly transport: Transport;
  readonly stderr?: TextTail;
  /** The end of the text on stdout that is not MCP. */
  readonly strayOutput?: TextTail;
  /** Number of lines on stdout so far that are not MCP. */
  readonly strayLines?: () => number;
  /** Only over streamable HTTP. */
  readonly handshake?: HandshakeAnswers;
  /** Why the connection ended. Resolves when the process has ended and its output was read. */
  readonly ended?: Promise<Failure>;
  /** Ends the connection gracefully, in bounded time. */
  readonly close: () => Promise<void>;
  readonly kill: () => Promise<void>;
}

/** Why a server cannot be used, and what to do about it. Texts for people, without secrets. */
export interface Failure {
  readonly reason: string;
  readonly remedy: string;
}

/** Why a server needs a login, and how to log in. */
export interface LoginNeeded extends Failure {
  /** Where the person logs in, if a login was prepared for an address of the host. */
  readonly url?: string;
}
