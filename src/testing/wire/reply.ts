import { isRecord } from '../../tools/values/index.ts';

/** One tool call of a scripted reply. */
export interface ReplyCall {
  readonly name: string;
  /**
   * The arguments; a string is sent as it is, so it may be malformed JSON. Anthropic's plain form
   * and the Responses API's tool searches have no place for raw text: there, text that does not
   * parse arrives as a JSON string.
   */
  readonly arguments: object | string;
  /** Left out, the server numbers them: `toolu_1` on Anthropic, `call_1` on OpenAI. */
  readonly id?: string;
}

/** Why a scripted reply ends, in no provider's words. */
export type ReplyFinish = 'stop' | 'tool-calls' | 'length' | 'content-filter';

/** What the scripted model answers, the same for every wire format: reasoning, then text, then calls. */
export interface Reply {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ReplyCall[];
  /** Left out: `tool-calls` where there are calls, otherwise `stop`. */
  readonly finishReason?: ReplyFinish;
  /** Streamed text is cut every so many UTF-16 units, inside escapes and surrogate pairs too. */
  readonly chunkSize?: number;
  /** Lengths, in UTF-16 units, of the first pieces of each streamed text; the rest follows whole. */
  readonly chunks?: readonly number[];
  /** Answered instead of content. A body that is a string becomes the message of the provider's own error form. */
  readonly error?: { readonly status: number; readonly body: unknown };
  /** The connection is cut after this many stream events; a plain answer is cut half way. */
  readonly abortAfter?: number;
  /** Awaited before anything is answered. */
  readonly hold?: Promise<unknown>;
}

/** Cuts a text as the reply asks; joined again, the pieces are the text. Empty text has no pieces. */
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

/** What the text of a call's arguments says, for formats that carry them as a JSON value. */
export function parsedArguments(text: string): unknown {
  if (text === '') return {};
  try {
    const input: unknown = JSON.parse(text);
    return isRecord(input) ? input : text;
  } catch {
    return text;
  }
}
