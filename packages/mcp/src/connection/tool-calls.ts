import { setTimeout as delay } from 'node:timers/promises';
import { isRecord, ownProperties, ownProperty } from '@toolfold/core/internal/values';

/** Characters that an HTTP header can have as they are. */
const PLAIN = /^[\t\x20-\x7e]+$/;

/**
 * The HTTP headers for the arguments that a tool's schema marks with `x-mcp-header`, since 2026-07-28.
 * Tools with invalid marks are left out when the tools are listed.
 */
export function paramHeaders(schema: unknown, input: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [key, property] of Object.entries(ownProperty(schema, 'properties') ?? {})) {
    const value = ownProperty(input, key);
    const name = ownProperty(property, 'x-mcp-header');
    const text = textOf(value);
    if (typeof name === 'string' && text !== undefined)
      headers[`Mcp-Param-${name}`] = encoded(text);
    if (isRecord(value)) Object.assign(headers, paramHeaders(property, value));
  }
  return headers;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

function encoded(text: string): string {
  const isPlain = PLAIN.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** Answers a request of a server. `signal` fires when nobody wants the answer any more. */
export type AnswerRequest = (
  method: string,
  params: unknown,
  signal: AbortSignal,
) => Promise<Record<string, unknown>>;

const MAX_ROUNDS = 10;

/** Milliseconds before a call is sent again that asks for nothing but a repetition. */
const PAUSE = 500;

/**
 * Sends a call, and sends it again with answers as long as the server asks for more (`input_required`,
 * since 2026-07-28). The SDK would do so too, but does not say to which call a request belongs. A rejection
 * of `answer` ends the call with that error.
 */
export async function withInput(
  answer: AnswerRequest,
  callSignal: AbortSignal | undefined,
  send: (given: object) => Promise<unknown>,
): Promise<unknown> {
  const signal = callSignal ?? new AbortController().signal;
  let result = await send({});
  for (let round = 0; ownProperty(result, 'resultType') === 'input_required'; round++) {
    if (round === MAX_ROUNDS)
      throw new Error(`The server asked for more than ${MAX_ROUNDS} rounds of answers.`);
    const entries = Object.entries(ownProperties(ownProperty(result, 'inputRequests')));
    const state = ownProperty(result, 'requestState');
    if (entries.length === 0 && typeof state !== 'string')
      throw new Error("The server's answer cannot be used: it asks for input, but not for which.");
    if (entries.length === 0) await delay(PAUSE, undefined, { signal }).catch(() => {});
    const inputResponses: Record<string, unknown> = {};
    // One at a time: a user cannot answer two questions at once.
    for (const [key, request] of entries) {
      signal.throwIfAborted();
      const { method, params } = ownProperties(request);
      const response = await answer(String(method), params, signal);
      Object.defineProperty(inputResponses, key, { value: response, enumerable: true });
    }
    signal.throwIfAborted();
    result = await send({
      ...(entries.length > 0 && { inputResponses }),
      ...(typeof state === 'string' && { requestState: state }),
    });
  }
  return result;
}
