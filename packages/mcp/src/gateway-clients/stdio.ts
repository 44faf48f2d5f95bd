import type { Readable, Writable } from 'node:stream';
import { type JsonObject, within } from '@toolfold/core/internal/values';
import { Client, type ClientHost, type MessageSink } from './client.ts';
import { readMessage } from './messages.ts';

/** Maximum bytes of a message. */
const MAX_MESSAGE = 64 * 1024 * 1024;

/** Milliseconds for requests that are not answered when the client closes its end. */
const LAST_TIME = 30_000;

/** Bytes that wait for a slow reader before further messages of the client are read, and notices are dropped. */
const MAX_WAITING = 8 * 1024 * 1024;

/** Bytes that wait for a client that does not read, before it is given up. */
const MAX_UNREAD = 64 * 1024 * 1024;

/**
 * Serves the client at the other end of two streams, one message a line. Resolves when the client has
 * closed its end, what it asked before is answered, and everything that it started has ended.
 */
export async function serveStreams(
  host: ClientHost,
  input: Readable,
  output: Writable,
  signal: AbortSignal,
): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const outlet: MessageSink = {
    send: (message) => {
      if (output.destroyed) return;
      if (output.writableLength > MAX_UNREAD) {
        host.log('The client does not read its answers.');
        output.destroy();
        resolve();
      } else if (output.writableLength < MAX_WAITING || !isDroppable(message)) {
        output.write(`${JSON.stringify(message)}\n`);
        if (output.writableLength > MAX_WAITING) input.pause();
      }
    },
  };
  output.on('drain', () => input.resume());
  const client = new Client(host, outlet);
  let pending: Buffer[] = [];
  let length = 0;
  const receive = (line: string): void => {
    if (line.trim() === '') return;
    const read = readMessage(line, 'line');
    if ('refused' in read) outlet.send(read.refused);
    else void client.receive(read.message);
  };
  input.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      const line = rest.subarray(0, end);
      receive((pending.length > 0 ? Buffer.concat([...pending, line]) : line).toString('utf8'));
      pending = [];
      length = 0;
      rest = rest.subarray(end + 1);
    }
    if (rest.length === 0) return;
    pending.push(rest);
    length += rest.length;
    if (length > MAX_MESSAGE) {
      host.log(`A message of the client has more than ${MAX_MESSAGE / 1024 / 1024} MB.`);
      resolve();
    }
  });
  input.once('end', () => {
    if (pending.length > 0) receive(Buffer.concat(pending).toString('utf8'));
    void within(LAST_TIME, client.finish()).then(() => resolve());
  });
  input.on('error', () => resolve());
  output.on('error', () => resolve());
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (signal.aborted) resolve();
  await ended;
  input.destroy();
  await client.close();
}

/** Whether a client can do without a message. */
function isDroppable({ method }: JsonObject): boolean {
  return method === 'notifications/progress' || method === 'notifications/message';
}
