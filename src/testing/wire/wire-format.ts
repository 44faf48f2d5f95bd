import type { RecordedRequest, WireProvider } from './recorded-request.ts';
import type { ReplyFinish } from './reply.ts';

/** A scripted reply, prepared for a wire format: with ids, token counts and a function to cut texts. */
export interface Turn {
  readonly model: string;
  readonly newId: (prefix: string) => string;
  /** Records a call whose item a later request may refer to by id. */
  readonly issue: (itemId: string, callId: string) => void;
  readonly reasoning: string | undefined;
  readonly text: string | undefined;
  readonly calls: readonly TurnCall[];
  readonly finish: ReplyFinish;
  readonly cut: (text: string) => readonly string[];
  readonly usage: TurnUsage;
  /** The body of the request, for options that change the form of the answer. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** One tool call of a turn. `text` holds its arguments as the model wrote them. */
export interface TurnCall {
  readonly name: string;
  readonly id: string | undefined;
  readonly text: string;
}

/** Tokens. `input` includes `cached`; `output` includes `reasoning`. */
export interface TurnUsage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
}

/** One server-sent event. `name` is the `event:` field, if the format has one. */
export interface WireEvent {
  readonly name?: string;
  readonly data: unknown;
}

/** Why a request is refused: a message, or a message with the API's error code. */
export type Refusal = string | { readonly message: string; readonly code: string };

/** Calls that the server has sent: call ids, by the id of their item. */
export type IssuedCalls = ReadonlyMap<string, string>;

/** One provider's request and answer format. All methods are pure, except that turns record issued calls. */
export interface WireFormat {
  readonly provider: WireProvider;
  /** The end of a request's path. */
  readonly path: string;
  /** The part of the base URL before `path`. */
  readonly base: string;
  readonly plain: (turn: Turn) => unknown;
  readonly events: (turn: Turn) => Iterable<WireEvent>;
  /** The raw line that ends a stream, if the format has one. */
  readonly terminator?: string;
  readonly error: (status: number, message: string, code?: string) => unknown;
  /** Why the real API would answer 400, in its own words if they are known. */
  readonly refusal: (request: RecordedRequest, issued: IssuedCalls) => Refusal | undefined;
}

/** The time of every answer, in seconds since 1970. Fixed, so that equal scripts give equal bytes. */
export const CREATED_AT = 1_767_225_600;
