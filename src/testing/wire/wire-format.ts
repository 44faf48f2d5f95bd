import type { RecordedRequest, WireProvider } from './recorded-request.ts';
import type { ReplyFinish } from './reply.ts';

/** A scripted reply with everything a wire format needs: ids given, figures counted, texts cut. */
export interface Turn {
  readonly model: string;
  readonly newId: (prefix: string) => string;
  /** Notes a call whose item a later request may refer to by its id alone. */
  readonly issue: (itemId: string, callId: string) => void;
  readonly reasoning: string | undefined;
  readonly text: string | undefined;
  readonly calls: readonly TurnCall[];
  readonly finish: ReplyFinish;
  readonly cut: (text: string) => readonly string[];
  readonly usage: TurnUsage;
  /** The request's own body, for what the client may ask of the answer's form. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** One tool call of a turn; `text` is its arguments as the model wrote them. */
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

/** One server-sent event; `name` is the `event:` field where the format has one. */
export interface WireEvent {
  readonly name?: string;
  readonly data: unknown;
}

/** Why a request is refused: a message and, where the API has one for it, an error code. */
export type Refusal = string | { readonly message: string; readonly code: string };

/** Calls that the server has issued: ids of their items with the ids of the calls. */
export type IssuedCalls = ReadonlyMap<string, string>;

/** One provider's request and answer format; all methods are pure but for what turns note. */
export interface WireFormat {
  readonly provider: WireProvider;
  /** How the path of a request ends. */
  readonly path: string;
  /** What stands before `path` in the base URL. */
  readonly base: string;
  readonly plain: (turn: Turn) => unknown;
  readonly events: (turn: Turn) => Iterable<WireEvent>;
  /** The raw line that ends a stream, where there is one. */
  readonly terminator?: string;
  readonly error: (status: number, message: string, code?: string) => unknown;
  /** Why the real API would answer 400, in its words as far as they are known. */
  readonly refusal: (request: RecordedRequest, issued: IssuedCalls) => Refusal | undefined;
}

/** Seconds since 1970 that every answer carries: fixed, so that equal scripts give equal bytes. */
export const CREATED_AT = 1_767_225_600;
