import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@toolfold/core/internal/values';
import { Client, type ClientHost, type MessageSink } from './client.ts';

/** Maximum sessions. */
const MAX_SESSIONS = 256;

/** Milliseconds without a request or a stream after which a session ends. */
const IDLE = 30 * 60_000;

/** Messages that are kept for a client that has no stream open, and the characters of all together. */
const KEPT = 100;
const KEPT_LENGTH = 1_000_000;

/** A client with a session, as before 2026-07-28. */
export class HttpSession {
  readonly id: string = randomUUID();
  readonly client: Client;
  usedAt: number = performance.now();
  #stream: (MessageSink & { end(): void }) | undefined;
  readonly #kept: { readonly message: JsonObject; readonly length: number }[] = [];

  constructor(host: ClientHost) {
    this.client = new Client(host, {
      send: (message) => {
        if (this.#stream) this.#stream.send(message);
        else this.#keep(message);
      },
    });
  }

  /** Whether anything of it is under way. */
  get isBusy(): boolean {
    return this.#stream !== undefined || this.client.requests > 0;
  }

  /** Opens the stream for messages that belong to no request, in place of an earlier one. */
  open(stream: MessageSink & { end(): void }): void {
    this.#stream?.end();
    this.#stream = stream;
    for (const { message } of this.#kept.splice(0)) stream.send(message);
  }

  closed(stream: MessageSink): void {
    if (this.#stream === stream) this.#stream = undefined;
    this.usedAt = performance.now();
  }

  async end(): Promise<void> {
    this.#stream?.end();
    await this.client.close();
  }

  #keep(message: JsonObject): void {
    const kept = this.#kept;
    kept.push({ message, length: JSON.stringify(message).length });
    const isTooMuch = (): boolean =>
      kept.length > KEPT || kept.reduce((sum, { length }) => sum + length, 0) > KEPT_LENGTH;
    while (isTooMuch()) kept.shift();
  }
}

/** The sessions of a server. */
export class HttpSessions {
  readonly #host: ClientHost;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #timer: NodeJS.Timeout;

  constructor(host: ClientHost) {
    this.#host = host;
    this.#timer = setInterval(() => this.#expire(), 60_000).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Begins a session; `undefined` if there are too many that are used. */
  begin(): HttpSession | undefined {
    if (this.#sessions.size >= MAX_SESSIONS) {
      const idle = [...this.#sessions.values()].filter(({ isBusy }) => !isBusy);
      const [oldest] = idle.sort((one, other) => one.usedAt - other.usedAt);
      if (oldest === undefined) return;
      void this.end(oldest);
    }
    const session = new HttpSession(this.#host);
    this.#sessions.set(session.id, session);
    return session;
  }

  find(id: string): HttpSession | undefined {
    const session = this.#sessions.get(id);
    if (session) session.usedAt = performance.now();
    return session;
  }

  async end(session: HttpSession): Promise<void> {
    this.#sessions.delete(session.id);
    await session.end();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#sessions.values()].map((session) => this.end(session)));
  }

  #expire(): void {
    const since = performance.now() - IDLE;
    for (const session of this.#sessions.values())
      if (!session.isBusy && session.usedAt < since) void this.end(session);
  }
}
