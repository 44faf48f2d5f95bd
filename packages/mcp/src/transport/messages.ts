import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { formatNumber } from '@toolfold/core/internal/values';

/** Maximum bytes of a server's message. The largest real listing is 4 MB. */
export const MAX_MESSAGE: number = 64 * 1024 * 1024;

/** Maximum objects and lists in one message. Each costs much more memory than its bytes of text. */
const MAX_MEMBERS = 1_000_000;

/** Maximum nesting of a whole message. Below this limit, the parts of a message are checked separately. */
const MAX_LEVELS = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Why a message exceeds the limits, if it does. Checks the text before parsing allocates memory. */
export function excessOf(text: string): string | undefined {
  if (text.length > MAX_MESSAGE) return tooLong();
  // Each level and each member has a character of its own.
  if (text.length <= MAX_LEVELS) return;
  let levels = 0;
  let members = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at + 1);
    else if (unit === 0x7b || unit === 0x5b) {
      levels += 1;
      members += 1;
      if (levels > MAX_LEVELS)
        return `it sent a message nested more than ${formatNumber(MAX_LEVELS)} levels deep`;
      if (members > MAX_MEMBERS)
        return `it sent a message of more than ${formatNumber(MAX_MEMBERS)} objects`;
    } else if (unit === 0x7d || unit === 0x5d) levels -= 1;
  }
  return;
}

/** The index of the closing quote of a string; the length of the text if there is none. */
function endOfString(text: string, from: number): number {
  for (let at = from; ; at++) {
    const end = text.indexOf('"', at);
    if (end < 0) return text.length;
    let escapes = end;
    while (escapes > from && text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end;
    at = end;
  }
}

/** The reason for a message with too many bytes. */
export function tooLong(): string {
  return `it sent a message of more than ${MAX_MESSAGE / 1024 / 1024} MB`;
}

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

/** Maximum different answers that a listener gets of one connection. */
const MAX_REPORTED = 3;

/** The answers of one server that belong to no request that waits. */
export class StrayAnswers {
  #count = 0;
  #last = '';
  readonly #reported = new Set<string>();
  readonly #untaken: string[] = [];
  #listener: ((text: string) => void) | undefined;

  get count(): number {
    return this.#count;
  }

  /** Adds an answer, described for people, without secrets. */
  add(text: string): void {
    this.#count += 1;
    this.#last = text;
    if (this.#reported.has(text) || this.#reported.size === MAX_REPORTED) return;
    this.#reported.add(text);
    if (this.#listener) this.#listener(text);
    else this.#untaken.push(text);
  }

  /** The last answer that was added after the first `count`; `undefined` if there is none. */
  since(count: number): string | undefined {
    return this.#count > count ? this.#last : undefined;
  }

  /** The answers so far that nobody has taken, once for equal ones. */
  take(): string[] {
    return this.#untaken.splice(0);
  }

  /** Calls the listener with those that nobody has taken, and with each further one. */
  follow(listener: (text: string) => void): void {
    this.#listener = listener;
    for (const text of this.take()) listener(text);
  }
}
