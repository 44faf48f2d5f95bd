import { errorMessage } from '../../errors.ts';
import { excessOf, MAX_MESSAGE, tooLong } from './message-limits.ts';
import { messageText, type PendingRequests } from './pending-requests.ts';

/** Milliseconds a server may ask to wait before reconnecting: none would be a loop, more than a timer takes too. */
const MIN_RETRY = 1000;
const MAX_RETRY = 30_000;

/** What a stream of events is read with. */
export interface EventStreamOptions {
  readonly requests: PendingRequests;
  readonly dropsNotifications: boolean;
  /** Called once for a stream over the limits, which then fails. */
  readonly onExcess: (reason: string) => void;
  /** Called when the server ends the stream. */
  readonly onEnd?: () => void;
}

/**
 * Reads a stream of server-sent events and writes it again: bounded for each event, malformed
 * messages replaced as `PendingRequests` says, comments left out, times to retry made sane.
 */
export function eventStreamFilter(
  options: EventStreamOptions,
): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** The line that has not ended, in pieces: joined once, however many they are. */
  let line: string[] = [];
  let lineEnd = '';
  let event: string[] = [];
  let size = 0;
  /** What is passed on once a line has ended. */
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
    // A lone \r at the end may be the first half of a line end.
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
  return new TransformStream({
    transform(chunk, controller) {
      try {
        const written = read(chunk);
        if (written !== '') controller.enqueue(encoder.encode(written));
      } catch (error) {
        line = [];
        event = [];
        options.onExcess(errorMessage(error));
        controller.error(error);
      }
    },
    flush() {
      options.onEnd?.();
    },
  });
}

/** The event as it is passed on; empty where nothing of it is. Throws over the limits. */
function filtered(lines: readonly string[], options: EventStreamOptions): string {
  const data: string[] = [];
  const kept: string[] = [];
  let type = '';
  for (const line of lines) {
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'retry') kept.push(...retry(value));
    else if (field === 'id' || field === 'event') kept.push(line);
    if (field === 'event') type = value;
  }
  const flood = options.requests.unasked();
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

/** The messages of an event as JSON. Throws for one that is over the limits. */
function messagesIn(text: string, { requests, dropsNotifications }: EventStreamOptions): string[] {
  const excess = excessOf(text);
  if (excess !== undefined) throw new Error(excess);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const answer = requests.unreadable(text);
    return answer === undefined ? [] : [JSON.stringify(answer)];
  }
  return requests
    .read(value)
    .messages.filter((message) => !dropsNotifications || !('method' in message) || 'id' in message)
    .map((message) => messageText(message, value, text));
}
