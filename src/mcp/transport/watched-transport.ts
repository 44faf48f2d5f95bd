import { errorMessage } from '../../errors.ts';
import { isTooDeep, own } from '../../tools/values/index.ts';
import { redactValue } from '../secrets/index.ts';
import type { Breach } from './breach.ts';
import { errorAnswer, type PendingRequests } from './pending-requests.ts';
import type { JSONRPCMessage, Transport } from './sdk.ts';

/** Requests of a server that may wait for their answer to be sent; real servers have one or two. */
const MAX_OPEN = 1000;

/** What watches a connection. */
export interface Watch {
  readonly requests: PendingRequests;
  readonly breach: Breach;
  readonly secrets: readonly string[];
  /** Whether nobody listens to notifications: they are dropped before the SDK spends time on them. */
  readonly dropsNotifications: boolean;
}

type Receive = NonNullable<Transport['onmessage']>;
type Extra = Parameters<Receive>[1];

/**
 * Reads all that passes through a transport: requests that wait are answered whatever a server
 * sends (`PendingRequests`), secrets are taken out of errors, and floods end the connection. Changes
 * the transport in place, because the SDK's client tells its kind by its class and members.
 */
export function watchTransport(transport: Transport, watch: Watch): void {
  const { requests, breach } = watch;
  /** What was let through: a client may pass a message on through a handler it found here. */
  const passed = new WeakSet<object>();
  let filtered: Receive | undefined;
  let open = 0;
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    requests.sent(message);
    const id = 'method' in message ? own(message, 'id') : undefined;
    options?.requestSignal?.addEventListener('abort', () => requests.settle(id), { once: true });
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      if (!requests.isWaiting(id)) return;
      filtered?.(errorAnswer(id as string | number, 'its stream ended without one'));
    };
    try {
      await send(message, { ...options, onRequestStreamEnd });
    } catch (error) {
      requests.settle(id);
      throw error;
    } finally {
      if (!('method' in message)) open = Math.max(0, open - 1);
    }
  };
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: () => filtered,
    set: (handler: Receive | undefined) => {
      if (handler === filtered) return;
      filtered = handler && ((message, extra) => deliver(handler, message, extra));
    },
  });

  const deliver = (handler: Receive, value: JSONRPCMessage, extra: Extra): void => {
    const messages = passed.has(value) ? [] : requests.read(value).messages;
    if (passed.has(value)) handler(value, extra);
    for (const message of messages) {
      const isRequest = 'method' in message && 'id' in message;
      if ('method' in message && !isRequest && watch.dropsNotifications) continue;
      if (isRequest && ++open > MAX_OPEN) {
        breach.report(`it sent ${MAX_OPEN} requests without reading the answers`);
        return;
      }
      const clean = withoutSecrets(message, watch.secrets);
      passed.add(clean);
      if ('id' in clean && !isRequest) requests.settle(clean.id);
      try {
        handler(clean, extra);
      } catch (error) {
        // Thrown on, it would end the host: nobody awaits what a transport receives.
        breach.report(`it sent a message that cannot be read (${errorMessage(error)})`);
        return;
      }
    }
  };
}

/** An error, and a result that says it is one, often repeat the key that was wrong. */
function withoutSecrets(message: JSONRPCMessage, secrets: readonly string[]): JSONRPCMessage {
  const result = own(message, 'result');
  const isFailed = own(result, 'isError') === true && !isTooDeep(result);
  return 'error' in message || isFailed ? redactValue(message, secrets) : message;
}
