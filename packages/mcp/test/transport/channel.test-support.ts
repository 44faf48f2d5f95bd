import type { JSONRPCMessage, Transport } from '../../src/sdk.ts';
import type { AnsweredError } from '../../src/transport/channel.ts';
import type { OpenTransport } from '../../src/transport/open-transport.ts';
import { openTransport } from '../../src/transport/transport.ts';

/** What a connection sent. */
export type Sent = Record<string, unknown> & {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
};

/** A connection without a server: the test says what is received, and when a message was written. */
export interface Wire extends OpenTransport {
  readonly sent: Sent[];
  /** Messages that the channel left to the client. */
  readonly passed: unknown[];
  receive(message: unknown): void;
  /** Called with each message. A message was written when it resolves. Replaceable. */
  write: (message: Sent) => Promise<void>;
}

export async function wire(): Promise<Wire> {
  const sent: Sent[] = [];
  const passed: unknown[] = [];
  const transport: Transport = {
    start: async () => {},
    send: async (message) => {
      sent.push(message as unknown as Sent);
      await made.write(message as unknown as Sent);
    },
    close: async () => transport.onclose?.(),
  };
  const opened = await openTransport({ kind: 'transport', transport, secrets: [] });
  const made: Wire = {
    ...opened,
    sent,
    passed,
    write: async () => {},
    receive: (message) => transport.onmessage?.(message as JSONRPCMessage),
  };
  transport.onmessage = (message) => void passed.push(message);
  opened.channel.connected(undefined);
  return made;
}

/** The ids of the requests that were sent. */
export const idsOf = (sent: readonly Sent[]): number[] =>
  sent
    .filter(({ id, method }) => id !== undefined && method !== undefined)
    .map(({ id }) => Number(id));

/** How a request ended, as text. */
export const ending = (request: Promise<unknown>): Promise<string> =>
  request.then(
    (result) => JSON.stringify(result),
    (error: AnsweredError) => `rejected: ${error.message}`,
  );
