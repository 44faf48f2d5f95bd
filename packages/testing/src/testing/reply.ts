import type { FinishReason } from '../wire/index.ts';

/** One tool call of a scripted reply. */
export interface ReplyCall {
  readonly name: string;
  /**
   * The arguments. A string is sent unchanged, so it may be malformed JSON. Anthropic's plain form and
   * the Responses API's tool searches cannot carry raw text, so there malformed text is sent as a JSON
   * string.
   */
  readonly arguments: object | string;
  /** Default: a number, `toolu_1` on Anthropic, `call_1` on OpenAI. */
  readonly id?: string;
}

/** Why a scripted reply ends, independent of the provider. */
export type ReplyFinish = FinishReason;

/** One answer of the scripted model for every wire format: reasoning, then text, then calls. */
export interface Reply {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ReplyCall[];
  /** Default: `tool-calls` if there are calls, otherwise `stop`. */
  readonly finishReason?: ReplyFinish;
  /** Length of streamed pieces in UTF-16 units. Cuts also inside escapes and surrogate pairs. */
  readonly chunkSize?: number;
  /** Lengths of the first pieces of each streamed text in UTF-16 units. The rest follows in one piece. */
  readonly chunks?: readonly number[];
  /** Sent instead of content. A string body becomes the message in the provider's own error form. */
  readonly error?: {
    readonly status: number;
    readonly body: unknown;
    /** Such as `retry-after`. */
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Closes the connection after this many stream events. A plain answer is cut in the middle. */
  readonly abortAfter?: number;
  /** Awaited before anything is sent. */
  readonly hold?: Promise<unknown>;
  /** Awaited before each event of a streamed reply, with the number of events before it. */
  readonly pace?: (sent: number) => Promise<unknown> | undefined;
}

/** Cuts a text into the pieces that the reply asks for. Empty text has no pieces. */
export function cut(text: string, reply: Pick<Reply, 'chunks' | 'chunkSize'>): string[] {
  const pieces: string[] = [];
  let rest = text;
  for (const length of reply.chunks ?? []) {
    pieces.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  const size = Math.max(1, reply.chunkSize ?? rest.length);
  for (let start = 0; start < rest.length; start += size) {
    pieces.push(rest.slice(start, start + size));
  }
  return pieces.filter((piece) => piece !== '');
}

/** The arguments of a call as the model wrote them. */
export function argumentsText(call: ReplyCall): string {
  return typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
}
