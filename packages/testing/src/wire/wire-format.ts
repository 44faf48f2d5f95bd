import { isRecord, parsedJson } from '@toolfold/core/internal/values';
import type { RecordedRequest, WireProvider } from './recorded-request.ts';

/** One server-sent event. `name` is the `event:` field, if the format has one. */
export interface WireEvent {
  readonly name?: string;
  readonly data: unknown;
}

/** Why a request is refused: a message, or a message with the API's error code. */
export type RequestRefusal = string | { readonly message: string; readonly code: string };

/** Calls that the server has sent: call ids, by the id of their item. */
export type IssuedCalls = ReadonlyMap<string, string>;

/**
 * One provider's format: where its requests go, how it writes answers and errors, which requests it
 * refuses. All methods are pure, except that answers record issued calls.
 */
export interface WireFormat {
  readonly provider: WireProvider;
  /** The end of a request's path. */
  readonly path: string;
  /** The part of the base URL before `path`. */
  readonly base: string;
  /** The body of an answer that is not streamed. */
  readonly plain: (answer: ModelAnswer) => unknown;
  /** The events of a streamed answer. */
  readonly events: (answer: ModelAnswer) => Iterable<WireEvent>;
  /** The raw line that ends a stream, if the format has one. */
  readonly terminator?: string;
  /** The body of an error. */
  readonly error: (status: number, message: string, code?: string) => unknown;
  /** Why the real API would answer 400, in its own words if they are known. */
  readonly refusal: (request: RecordedRequest, issued: IssuedCalls) => RequestRefusal | undefined;
}

/** The time of every answer, in seconds since 1970. Fixed, so that equal scripts give equal bytes. */
export const CREATED_AT = 1_767_225_600;

/** Why an answer ends, independent of the provider. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter';

/** One answer of a model, in no provider's form. A wire format writes it as a body or as a stream. */
export interface ModelAnswer {
  readonly model: string;
  readonly newId: (prefix: string) => string;
  /** Records a call whose item a later request may refer to by id. */
  readonly issue: (itemId: string, callId: string) => void;
  readonly reasoning: string | undefined;
  readonly text: string | undefined;
  readonly calls: readonly ResponseToolCall[];
  readonly finish: FinishReason;
  /** Cuts a text into the pieces that a stream sends. */
  readonly cut: (text: string) => readonly string[];
  readonly usage: AnswerUsage;
  /** The body of the request, for options that change the form of the answer. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** One tool call of an answer. `text` holds its arguments as the model wrote them. */
export interface ResponseToolCall {
  readonly name: string;
  readonly id: string | undefined;
  readonly text: string;
}

/**
 * Tokens. `input` includes `cached` and `written`, which includes `writtenForHour`; `output` includes
 * `reasoning`.
 */
export interface AnswerUsage {
  readonly input: number;
  /** Read from the cache. */
  readonly cached: number;
  /** Written to the cache at a price above that of input. */
  readonly written: number;
  /** Those of them that are kept for an hour. */
  readonly writtenForHour: number;
  readonly output: number;
  readonly reasoning: number;
}

/** The parsed arguments of a call, for formats that carry them as a JSON value. Malformed text stays text. */
export function parsedArguments(text: string): unknown {
  if (text === '') return {};
  const input = parsedJson(text);
  return isRecord(input) ? input : text;
}
