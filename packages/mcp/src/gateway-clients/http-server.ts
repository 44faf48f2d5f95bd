import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { type JsonObject, ownProperties, within } from '@toolfold/core/internal/values';
import { Client, type ClientHost } from './client.ts';
import { type Access, checkHeaders, inUrl, refusalOf } from './http-headers.ts';
import { EventOutlet, RequestOutlet, writeJson } from './http-responses.ts';
import { type HttpSession, HttpSessions } from './http-sessions.ts';
import {
  errorFor,
  hasEnvelope,
  INVALID_REQUEST,
  MODERN,
  RpcError,
  readMessage,
} from './messages.ts';

/** Options of `serveHttp`. */
interface HttpOptions extends Access {
  readonly port: number;
  /** Maximum bytes of a body. Default: 4 MB. */
  readonly maxBody?: number | undefined;
  /** The input schema of a tool, by the name for clients. */
  readonly schemaOf: (tool: string) => unknown;
  /** What `/healthz` answers. */
  readonly health: () => JsonObject;
}

/** A gateway that listens. */
interface HttpGateway {
  readonly url: string;
  /** Ends all sessions and connections. Calls under way have a few seconds to finish. */
  close(): Promise<void>;
}

const MAX_BODY = 4 * 1024 * 1024;

/** Milliseconds for what is under way when the server is closed. */
export const GRACE = 5000;

/** Code of errors that no revision of the protocol names. */
const REFUSED = -32_000;
const UNKNOWN_SESSION = -32_001;

/** Serves clients of every revision over HTTP. */
export async function serveHttp(host: ClientHost, options: HttpOptions): Promise<HttpGateway> {
  const sessions = new HttpSessions(host);
  const front = new HttpFront(host, options, sessions);
  const { createServer } = await import('node:http');
  const server: Server = createServer((request, response) => {
    front.answer(request, response).catch((error: unknown) => {
      host.log(`${request.method} ${request.url}: ${errorMessage(error)}`);
      if (!response.headersSent) refuse(response, 500, 'The request could not be answered.');
      else response.destroy();
    });
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${inUrl(options.host)}:${port}/mcp`,
    close: async () => {
      server.close();
      await front.answered();
      await sessions.close();
      server.closeAllConnections();
    },
  };
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  code: number = REFUSED,
  headers: Readonly<Record<string, string>> = {},
): void {
  writeJson(response, status, { jsonrpc: '2.0', id: null, error: { code, message } }, headers);
}

const CHALLENGE = { 'www-authenticate': 'Bearer' };

class HttpFront {
  readonly #host: ClientHost;
  readonly #options: HttpOptions;
  readonly #sessions: HttpSessions;
  readonly #running = new Set<Promise<void>>();

  constructor(host: ClientHost, options: HttpOptions, sessions: HttpSessions) {
    this.#host = host;
    this.#options = options;
    this.#sessions = sessions;
  }

  /** Resolves when the requests of this moment are answered, or after a while. */
  async answered(): Promise<void> {
    await within(GRACE, Promise.allSettled(this.#running));
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = URL.parse(request.url ?? '', 'http://gateway.invalid') ?? {};
    const refusal = refusalOf(request, this.#options);
    if (refusal) {
      this.#host.log(`${request.method} ${pathname}: ${refusal.status} ${refusal.message}`);
      const challenge = refusal.status === 401 ? CHALLENGE : undefined;
      refuse(response, refusal.status, refusal.message, REFUSED, challenge);
      request.resume();
    } else if (pathname === '/healthz' && request.method === 'GET') {
      writeJson(response, 200, { ...this.#options.health(), sessions: this.#sessions.size });
    } else if (pathname !== '/mcp') refuse(response, 404, 'The address is /mcp.');
    else if (request.method === 'POST') await this.#post(request, response);
    else if (request.method === 'GET') this.#get(request, response);
    else if (request.method === 'DELETE') await this.#delete(request, response);
    else refuse(response, 405, 'Method not allowed.', REFUSED, { allow: 'GET, POST, DELETE' });
  }

  async #post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request, this.#options.maxBody ?? MAX_BODY);
    if (text === undefined) {
      this.#host.log('POST /mcp: 413 The body is too long.');
      refuse(response, 413, 'The body is too long.', REFUSED, { connection: 'close' });
      return;
    }
    const read = readMessage(text, 'body');
    if ('refused' in read) return writeJson(response, 400, read.refused);
    const body = read.message;
    const message = ownProperties(body);
    if (Array.isArray(body) || message.jsonrpc !== '2.0')
      return refuse(response, 400, 'The body is not one JSON-RPC message.', INVALID_REQUEST);
    const isModern =
      hasEnvelope(message.params) ||
      (message.method !== 'initialize' &&
        (request.headers['mcp-protocol-version'] === MODERN ||
          message.method === 'server/discover'));
    if (isModern) await this.#postModern(request, response, message);
    else await this.#postLegacy(request, response, message);
  }

  async #postModern(
    request: IncomingMessage,
    response: ServerResponse,
    message: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const outlet = new RequestOutlet(response, true, () => ({}));
    try {
      checkHeaders(request.headers, message, this.#options.schemaOf);
    } catch (error) {
      const id = (message.id ?? null) as string | number | null;
      outlet.send({ error: errorFor('modern', error), jsonrpc: '2.0', id });
      return;
    }
    if (message.id === undefined || message.method === undefined) return accepted(response);
    const client = new Client(this.#host, outlet, true);
    await this.#during(message, client.receive(message, outlet, leftOf(response)));
    outlet.end();
  }

  /** Notes that a request is under way. A subscription lasts until its client ends it. */
  async #during({ method }: { readonly method?: unknown }, work: Promise<void>): Promise<void> {
    if (method === 'subscriptions/listen') return work;
    this.#running.add(work);
    await work.finally(() => this.#running.delete(work));
  }

  async #postLegacy(
    request: IncomingMessage,
    response: ServerResponse,
    message: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const isHandshake = message.method === 'initialize';
    const session = isHandshake ? this.#sessions.begin() : this.#sessionOf(request, response);
    if (session === undefined) {
      if (isHandshake) refuse(response, 503, 'There are too many sessions. Try again later.');
      return;
    }
    if (message.id === undefined || message.method === undefined) {
      await session.client.receive(message);
      return accepted(response);
    }
    const headers = (): Record<string, string> => ({ 'mcp-session-id': session.id });
    const outlet = new RequestOutlet(response, false, headers);
    await this.#during(message, session.client.receive(message, outlet, leftOf(response)));
    outlet.end();
    if (isHandshake && !session.client.isLegacy) await this.#sessions.end(session);
  }

  #get(request: IncomingMessage, response: ServerResponse): void {
    if (!/text\/event-stream|\*\/\*/.test(request.headers.accept ?? '')) {
      refuse(response, 406, 'The stream is text/event-stream.');
      return;
    }
    const session = this.#sessionOf(request, response);
    if (session === undefined) return;
    const stream = new EventOutlet(response, { 'mcp-session-id': session.id });
    session.open(stream);
    response.once('close', () => session.closed(stream));
  }

  async #delete(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = this.#sessionOf(request, response);
    if (session === undefined) return;
    await this.#sessions.end(session);
    response.writeHead(200).end();
  }

  /** The session of a request. One that has ended is 404, so that the client begins another one. */
  #sessionOf({ headers }: IncomingMessage, response: ServerResponse): HttpSession | undefined {
    const id = headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.#sessions.find(id) : undefined;
    if (session !== undefined) return session;
    if (id !== undefined) refuse(response, 404, 'Session not found', UNKNOWN_SESSION);
    else {
      const error = new RpcError(
        INVALID_REQUEST,
        `There is no session. Send initialize first, or name ${MODERN} in _meta.`,
      );
      refuse(response, 400, error.message, error.code);
    }
    return;
  }
}

function accepted(response: ServerResponse): void {
  response.writeHead(202).end();
}

/** Fires when the client has gone before it had its answer. */
function leftOf(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  return left.signal;
}

/** The body of a request; `undefined` if it is too long. */
async function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
