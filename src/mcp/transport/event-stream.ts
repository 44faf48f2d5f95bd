import { errorMessage } from '../../errors.ts';
import { parsedJson } from '../../tools/values/index.ts';
import {
  carried,
  excessOf,
  isUnhandled,
  MAX_MESSAGE,
  messageText,
  type PendingRequests,
  tooLong,
} from './messages/index.ts';

/** Limits of the reconnection time in milliseconds. Zero, or more than a timer can hold, would reconnect in a loop. */
const MIN_RETRY = 1000;
const MAX_RETRY = 30_000;

/** Options of `filterEventStream`. */
export interface EventStreamOptions {
  readonly requests: PendingRequests;
  /** The request whose POST has this stream; `undefined` for streams of several requests. */
  readonly carrier?: string | number | undefined;
  /** Called once if the stream exceeds the limits. The stream then fails. */
  readonly onExcess: (reason: string) => void;
  /** Called when the server ends the stream. */
  readonly onEnd?: () => void;
  /** Called when the stream has ended, however it ended. */
  readonly onClose?: () => void;
}

/**
 * Reads a stream of server-sent events and writes it again. Bounds the size of each event and the
 * retry times, replaces malformed messages (see `PendingRequests`) and removes comments.
 */
export function filterEventStream(
  body: ReadableStream<Uint8Array>,
  options: EventStreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** Pieces of the unfinished line. They are joined only once, so that many pieces stay cheap. */
  let line: string[] = [];
  let lineEnd = '';
  let event: string[] = [];
  let size = 0;
  /** Handles a complete line. Returns the text to pass on. */
  const take = (whole: string): string => {
    if (whole.startsWith(':')) return '';
    if (whole !== '') {
      event.push(whole);
      return '';
    }
    const lines = event;
    event = [];
    size = 0;
    return lines.length === 0 ? '' : filtered(lines, options);
  };
  const grow = (by: number): void => {
    size += by;
    if (size > MAX_MESSAGE) throw new Error(tooLong());
  };
  const read = (chunk: Uint8Array): string => {
    const text = lineEnd + decoder.decode(chunk, { stream: true });
    // A \r at the end may be the first half of \r\n.
    lineEnd = text.endsWith('\r') ? '\r' : '';
    const pieces = text.slice(0, text.length - lineEnd.length).split(/\r\n|\r|\n/);
    let written = '';
    for (const [index, piece] of pieces.entries()) {
      grow(piece.length + 1);
      line.push(piece);
      if (index === pieces.length - 1) break;
      const whole = line.join('');
      line = [];
      written += take(whole);
    }
    return written;
  };
  const reader = body.getReader();
  const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
    for (let written = ''; written === ''; ) {
      const { value, done } = await reader.read();
      if (done) {
        options.onEnd?.();
        options.onClose?.();
        controller.close();
        return;
      }
      try {
        written = read(value);
      } catch (error) {
        options.onExcess(errorMessage(error));
        throw error;
      }
      if (written !== '') controller.enqueue(encoder.encode(written));
    }
  };
  const close = async (reason: unknown): Promise<void> => {
    options.onClose?.();
    await reader.cancel(reason).catch(() => {});
  };
  // Faster than a `TransformStream`, which has two more queues. An error of `pull` is one of the stream.
  return new ReadableStream(
    {
      pull: (controller) =>
        pull(controller).catch((error: unknown) => {
          void close(error);
          throw error;
        }),
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

/** The filtered event; empty if nothing is passed on. Throws if it exceeds the limits. */
function filtered(lines: readonly string[], options: EventStreamOptions): string {
  const data: string[] = [];
  const kept: string[] = [];
  let type = '';
  for (const line of lines) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (field === 'data') data.push(value);
    else if (field === 'retry') kept.push(...retry(value));
    else if (field === 'id' || field === 'event') kept.push(line);
    if (field === 'event') type = value;
  }
  const flood = options.requests.countUnasked();
  if (flood !== undefined) throw new Error(flood);
  const text = data.join('\n');
  if (text === '' || (type !== '' && type !== 'message')) return eventOf(kept, data);
  return messagesIn(text, options)
    .map((message) => eventOf(kept, message.split('\n')))
    .join('');
}

function eventOf(fields: readonly string[], data: readonly string[]): string {
  return `${[...fields, ...data.map((line) => `data: ${line}`)].join('\n')}\n\n`;
}

function retry(value: string): string[] {
  if (!/^\d+$/.test(value)) return [];
  return [`retry: ${Math.min(Math.max(Number(value), MIN_RETRY), MAX_RETRY)}`];
}

/** The messages of an event as JSON. Throws if the event exceeds the limits. */
function messagesIn(data: string, { requests, carrier }: EventStreamOptions): string[] {
  // `trim` also removes a byte order mark.
  const text = data.trim();
  const excess = excessOf(text);
  if (excess !== undefined) throw new Error(excess);
  const value = parsedJson(text);
  if (value === undefined) {
    const answer = requests.unreadable(text);
    return answer === undefined ? [] : [JSON.stringify(answer)];
  }
  return requests
    .read(value, carrier)
    .messages.filter((message) => !isUnhandled(message))
    .map((message) => messageText(carried(message, carrier), value, text));
}
