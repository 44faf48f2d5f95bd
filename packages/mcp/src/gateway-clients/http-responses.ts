import type { ServerResponse } from 'node:http';
import { type JsonObject, ownProperty } from '@toolfold/core/internal/values';
import type { MessageSink } from './client.ts';

/** Milliseconds between comments on a stream, which keep clients and proxies from giving up. */
const COMMENTS = 15_000;

/** Bytes that wait for a slow client before its connection is ended. */
const MAX_WAITING = 16 * 1024 * 1024;

/** The HTTP status of an error, which only requests since 2026-07-28 have. */
const STATUS: Readonly<Record<number, number>> = {
  [-32_700]: 400,
  [-32_600]: 400,
  [-32_601]: 404,
  [-32_020]: 400,
  [-32_021]: 400,
  [-32_022]: 400,
};

/** A stream of events to a client. */
export class EventOutlet implements MessageSink {
  readonly #response: ServerResponse;
  readonly #timer: NodeJS.Timeout;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      ...headers,
    });
    response.flushHeaders();
    this.#timer = setInterval(() => {
      if (!response.writableNeedDrain) this.#write(': \n\n');
    }, COMMENTS).unref();
    response.once('close', () => clearInterval(this.#timer));
  }

  send(message: JsonObject): void {
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#response.end();
  }

  #write(text: string): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    // Of what waits already: one message may be longer.
    if (this.#response.writableLength > MAX_WAITING) this.#response.destroy();
    else this.#response.write(text);
  }
}

/** The answer to one request: JSON if there is nothing else to say, or a stream of events. */
export class RequestOutlet implements MessageSink {
  readonly #response: ServerResponse;
  readonly #isModern: boolean;
  readonly #headers: () => Readonly<Record<string, string>>;
  readonly #patience: NodeJS.Timeout;
  #events: EventOutlet | undefined;

  /** `headers`: of the response, read when it begins. */
  constructor(
    response: ServerResponse,
    isModern: boolean,
    headers: () => Readonly<Record<string, string>>,
  ) {
    this.#response = response;
    this.#isModern = isModern;
    this.#headers = headers;
    this.#patience = setTimeout(() => this.#stream(), COMMENTS).unref();
    response.once('close', () => clearTimeout(this.#patience));
  }

  send(message: JsonObject): void {
    if ('method' in message) this.#stream().send(message);
    else if (this.#events) {
      this.#events.send(message);
      this.#events.end();
    } else this.#json(message);
  }

  /**
   * Ends the response. A request that was cancelled has no answer: its response is then a stream without one, because a
   * request is answered with JSON or with a stream (Streamable HTTP, "Sending Messages to the Server").
   */
  end(): void {
    clearTimeout(this.#patience);
    if (this.#response.destroyed) return;
    if (this.#events || !this.#response.headersSent) this.#stream().end();
  }

  #stream(): EventOutlet {
    clearTimeout(this.#patience);
    this.#events ??= new EventOutlet(this.#response, this.#headers());
    return this.#events;
  }

  #json(message: JsonObject): void {
    clearTimeout(this.#patience);
    if (this.#response.headersSent || this.#response.destroyed) return;
    const { code, data } = (message.error ?? {}) as { code?: number; data?: unknown };
    // What a server answers may have any data.
    const isEnvelope = ownProperty(data, 'envelope') !== undefined;
    const status = this.#isModern ? (isEnvelope ? 400 : (STATUS[code ?? 0] ?? 200)) : 200;
    writeJson(this.#response, status, message, this.#headers());
  }
}

export function writeJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers })
    .end(text);
}
