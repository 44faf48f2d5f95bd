import {
  exactJson,
  type JsonObject,
  ownProperty,
  truncate,
} from '@toolfold/core/internal/tools/values';
import { INVALID_REQUEST, PARSE_ERROR } from './rpc-error.ts';

/** What a client sent, or the answer to what cannot be read. */
export type ReadMessage = { readonly message: unknown } | { readonly refused: JsonObject };

/**
 * Reads a message of a client. Integers that no number holds are bigints, so that a server gets them as they were
 * written. A message with another number that cannot be held is refused: no server gets a number that nobody wrote.
 */
export function readMessage(text: string, what: 'line' | 'body'): ReadMessage {
  try {
    const read = exactJson(text);
    if (!('lost' in read)) return { message: read.value };
    const id = ownProperty(JSON.parse(text), 'id');
    const message = `The number ${truncate(read.lost, 60)} has more digits than a number can hold. Write it as a string where the tool takes a string.`;
    return refused(INVALID_REQUEST, message, typeof id === 'string' || isSafe(id) ? id : null);
  } catch {
    return refused(PARSE_ERROR, `The ${what} is not JSON.`, null);
  }
}

function refused(code: number, message: string, id: string | number | null): ReadMessage {
  return { refused: { jsonrpc: '2.0', id, error: { code, message } } };
}

function isSafe(id: unknown): id is number {
  return Number.isSafeInteger(id);
}
