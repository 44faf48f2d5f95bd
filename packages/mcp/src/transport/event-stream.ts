import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { parsedJson, pick } from '@toolfold/core/internal/values';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { excessOf, MAX_MESSAGE, tooLong } from './messages.ts';
import { isUnhandled, type PendingRequests } from './pending-requests.ts';

/** Limits of the reconnection time in milliseconds. Zero, or more than a timer can hold, would reconnect in a loop. */
const MIN_RETRY = 1000;
const MAX_RETRY = 30_000;

interface EventStreamOptions {
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
 * retry times, replaces messages by stand-ins (`StandIns`), and removes comments.
 */
export function filterEventStream(
  body: ReadableStream<Uint8Array>,
  options: EventStreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let written = '';
  const parser = createParser({
    maxBufferSize: MAX_MESSAGE,
    onEvent: (event) => {
      written += filtered(event, options);
    },
    onRetry: (time) => {
      written += `retry: ${Math.min(Math.max(time, MIN_RETRY), MAX_RETRY)}\n`;
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new Error(tooLong());
    },
  });
  const reader = body.getReader();
  const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
    while (written === '') {
      const { value, done } = await reader.read();
      if (done) {
        options.onEnd?.();
        options.onClose?.();
        controller.close();
        return;
      }
      try {
        parser.feed(decoder.decode(value, { stream: true }));
      } catch (error) {
        options.onExcess(errorMessage(error));
        throw error;
      }
    }
    controller.enqueue(encoder.encode(written));
    written = '';
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
function filtered({ id, event, data }: EventSourceMessage, options: EventStreamOptions): string {
  const flood = options.requests.countUnasked();
  if (flood !== undefined) throw new Error(flood);
  const known = Object.entries(pick({ event, id }, 'event', 'id'));
  const fields = known.map(([name, value]) => `${name}: ${value}`);
  const isMessage = data !== '' && (event === undefined || event === 'message');
  const texts = isMessage ? messagesIn(data, options) : [data];
  return texts
    .map((text) => [...fields, ...text.split('\n').map((line) => `data: ${line}`)])
    .map((lines) => `${lines.join('\n')}\n\n`)
    .join('');
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
    .map((message) => JSON.stringify(requests.standIns.for({ message, carrier })));
}
