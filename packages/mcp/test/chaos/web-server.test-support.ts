import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { HttpServerEntry } from '../../src/config/config.ts';

/** A message of a client, with its headers. */
export interface Received {
  readonly method: string;
  readonly id?: number;
  readonly name?: string;
  readonly headers: IncomingMessage['headers'];
}

type Answer = (message: Received, response: ServerResponse) => unknown;

const JSON_TYPE = { 'content-type': 'application/json' };

/** A server over HTTP with sessions, which does what a test says with calls and streams. */
export class WebServer {
  readonly received: Received[] = [];
  /** Sessions that the server knows. */
  readonly sessions: Set<string> = new Set();
  /** Tools that it lists. */
  tools: readonly object[] = [{ name: 'a', inputSchema: { type: 'object' } }];
  /** Answers a call. Default: JSON. */
  onCall: Answer = (message, response) => this.answer(message, response);
  /** Answers a GET. Default: 405. */
  onGet: Answer = (_message, response) => response.writeHead(405).end();
  /** Answers before anything else does, if it returns `true`. */
  onAll: (message: Received, response: ServerResponse) => boolean = () => false;
  /** Status for a session that it does not know, with the text of the answer. 200: an error of JSON-RPC. */
  forgotten: readonly [status: number, text: string] = [404, 'Session not found'];
  readonly #server: Server;
  /** Whether it gives sessions. Without, it answers every request. */
  hasSessions = true;
  #host = '127.0.0.1';

  constructor() {
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  static async begin(context: TestContext, host = '127.0.0.1', port = 0): Promise<WebServer> {
    const web = new WebServer();
    web.#host = host;
    web.#server.listen(port, host);
    await once(web.#server, 'listening');
    context.after(() => web.end());
    return web;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  entry(host: string = this.#host): HttpServerEntry {
    const url = `http://${host}:${this.port}/mcp`;
    return { kind: 'http', url, headers: new Map(), secrets: [] };
  }

  /** The number of messages with this method. */
  count(method: string): number {
    return this.received.filter((message) => message.method === method).length;
  }

  /** Ends all connections, and the server. */
  async end(): Promise<void> {
    this.#server.closeAllConnections();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Answers a request with a result as JSON. */
  answer({ id }: Received, response: ServerResponse, result: object = { content: [] }): void {
    const body = JSON.stringify({ jsonrpc: '2.0', id, result });
    response.writeHead(200, JSON_TYPE).end(body);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const message = body === '' ? {} : JSON.parse(body);
    const received: Received = {
      method: message.method ?? request.method ?? '',
      id: message.id,
      name: message.params?.name,
      headers: request.headers,
    };
    this.received.push(received);
    if (this.onAll(received, response)) return;
    const session = request.headers['mcp-session-id'];
    if (received.method === 'initialize') this.#initialize(received, response);
    else if (request.headers['mcp-method'] !== undefined) response.writeHead(400).end('old');
    else if (this.hasSessions && !this.sessions.has(String(session))) {
      const [status, shown] = this.forgotten;
      const error = { jsonrpc: '2.0', id: received.id, error: { code: -32001, message: shown } };
      if (status !== 200) response.writeHead(status).end(shown);
      else response.writeHead(200, JSON_TYPE).end(JSON.stringify(error));
    } else if (received.method === 'tools/list') {
      this.answer(received, response, { tools: this.tools });
    } else if (received.method === 'ping') this.answer(received, response, {});
    else if (received.method === 'tools/call') this.onCall(received, response);
    else if (request.method === 'GET') this.onGet(received, response);
    else response.writeHead(202).end();
  }

  #initialize(received: Received, response: ServerResponse): void {
    const session = `session-${Math.random()}`;
    this.sessions.add(session);
    if (this.hasSessions) response.setHeader('mcp-session-id', session);
    this.answer(received, response, {
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'web', version: '1' },
    });
  }
}

/** Headers of a stream of events. */
export const EVENTS: Readonly<Record<string, string>> = { 'content-type': 'text/event-stream' };

/** An event with the answer to a request. */
export function eventFor({ id }: Received, eventId?: string): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } });
  return `${eventId === undefined ? '' : `id: ${eventId}\n`}data: ${body}\n\n`;
}
