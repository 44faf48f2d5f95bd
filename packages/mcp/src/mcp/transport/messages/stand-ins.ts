import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** A message of a server. */
export interface Received {
  readonly message: JSONRPCMessage;
  /** The request whose POST carries it; `undefined` if that is not known. */
  readonly carrier?: string | number | undefined;
}

/**
 * Messages on their way through the SDK's transport, which parses them again, changes the order of their
 * members, and does not say whose stream they came on. It gets a short stand-in for each.
 */
export class StandIns {
  readonly #received = new Map<unknown, Received>();
  #count = 0;

  /** The stand-in for a message. Of several answers to one request, the first counts. */
  for(received: Received): JSONRPCMessage {
    const { message } = received;
    const isAnswer = !('method' in message);
    const key = isAnswer ? message.id : `toolfold/received/${++this.#count}`;
    if (!this.#received.has(key)) this.#received.set(key, received);
    return isAnswer
      ? { jsonrpc: '2.0', id: message.id as string | number, result: {} }
      : { jsonrpc: '2.0', method: String(key) };
  }

  /** The message that a stand-in stands for, once; `undefined` for any other message. */
  take(message: JSONRPCMessage): Received | undefined {
    const key = 'method' in message ? message.method : message.id;
    const received = this.#received.get(key);
    this.forget(key);
    return received;
  }

  /** Call this when nobody waits for the answer to a request any more. */
  forget(id: unknown): void {
    this.#received.delete(id);
  }
}
