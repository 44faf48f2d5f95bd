import type { RecordedRequest, WireProvider } from '../request/index.ts';
import type { ModelAnswer } from './model-answer.ts';

/** One server-sent event. `name` is the `event:` field, if the format has one. */
export interface WireEvent {
  readonly name?: string;
  readonly data: unknown;
}

/** Why a request is refused: a message, or a message with the API's error code. */
export type Refusal = string | { readonly message: string; readonly code: string };

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
  readonly refusal: (request: RecordedRequest, issued: IssuedCalls) => Refusal | undefined;
}

/** The time of every answer, in seconds since 1970. Fixed, so that equal scripts give equal bytes. */
export const CREATED_AT = 1_767_225_600;
