import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { formatNumber, isTooDeep, ownProperty } from '@toolfold/core/internal/values';
import type { TextTail } from '../processes/index.ts';
import { redactValue } from '../redact.ts';
import type { JSONRPCMessage, Transport } from '../sdk.ts';
import type { Channel } from './channel.ts';
import type { Received } from './messages.ts';
import { isUnhandled, noAnswer, type PendingRequests } from './pending-requests.ts';

/** How a server over HTTP last answered each method of the handshake. The SDK's errors do not always say it. */
export type HandshakeAnswers = Map<unknown, Pick<Response, 'status' | 'headers'>>;

/** A transport to one server, with its output and its end. */
export interface OpenTransport extends OpenedTransport {
  readonly watch: ConnectionWatch;
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

/** Maximum open requests of a server. Real servers have one or two. */
const MAX_OPEN = 1000;

/** The checks of one connection. */
export interface ConnectionWatch {
  readonly requests: PendingRequests;
  /** Ends the connection at once. Aborted with what the server did wrong, a text for people; the first counts. */
  readonly breach: AbortController;
  readonly secrets: readonly string[];
}

type Receive = NonNullable<Transport['onmessage']>;
type Extra = Parameters<Receive>[1];

/**
 * Filters all messages of a transport: answers open requests also for malformed responses
 * (`PendingRequests`), removes secrets from errors, and disconnects a server that sends too much. What the
 * channel takes does not reach the client. Changes the transport in place, because the SDK's client
 * recognizes it by its class and members.
 */
export function watchTransport(
  transport: Transport,
  watch: ConnectionWatch,
  channel: Channel,
): void {
  const { requests, breach } = watch;
  /** Messages that were already filtered. A client may pass a message to a handler that it found here. */
  const passed = new WeakSet<object>();
  let filtered: Receive | undefined;
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    requests.sent(message);
    const id = 'method' in message ? ownProperty(message, 'id') : undefined;
    options?.requestSignal?.addEventListener('abort', () => requests.settle(id), { once: true });
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      if (!requests.isWaiting(id)) return;
      filtered?.(noAnswer(id as string | number, 'its stream ended'));
    };
    try {
      await send(message, { ...options, onRequestStreamEnd });
    } catch (error) {
      requests.settle(id);
      throw error;
    }
  };
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: () => filtered,
    set: (handler: Receive | undefined) => {
      if (handler === filtered) return;
      filtered =
        handler &&
        ((message, extra) => {
          if (passed.has(message)) handler(message, extra);
          else deliver(handler, message, extra);
        });
    },
  });

  const deliver = (handler: Receive, value: JSONRPCMessage, extra: Extra): void => {
    const received = requests.standIns.take(value);
    const read = (): Received[] => requests.read(value).messages.map((message) => ({ message }));
    for (const { message, carrier } of received ? [received] : read()) {
      const isRequest = 'method' in message && 'id' in message;
      if (isUnhandled(message)) continue;
      if (isRequest && channel.open >= MAX_OPEN) {
        breach.abort(`it sent ${formatNumber(MAX_OPEN)} requests without reading the answers`);
        return;
      }
      const clean = withoutSecrets(message, watch.secrets);
      if ('id' in clean && !isRequest) requests.settle(clean.id);
      try {
        if (channel.take(clean, carrier)) continue;
        passed.add(clean);
        handler(clean, extra);
      } catch (error) {
        // Nobody awaits this handler, so a thrown error would end the host process.
        breach.abort(`it sent a message that cannot be read (${errorMessage(error)})`);
        return;
      }
    }
  };
}

/** Redacts errors and results with `isError`, because they often repeat a rejected key. */
function withoutSecrets(message: JSONRPCMessage, secrets: readonly string[]): JSONRPCMessage {
  const result = ownProperty(message, 'result');
  const isFailed = ownProperty(result, 'isError') === true && !isTooDeep(result);
  return 'error' in message || isFailed ? redactValue(message, secrets) : message;
}
