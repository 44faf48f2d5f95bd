import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

export type Json = Record<string, unknown>;
export type Era = 'legacy' | 'modern';

const MODERN = '2026-07-28';

/** A question of a server: what it asks, by key. */
export type Questions = Record<string, { method: string; params?: Json }>;

/** What a request is answered with. */
export interface Request {
  readonly era: Era;
  readonly method: string;
  readonly params: Json;
  readonly meta: Json;
  readonly capabilities: Json;
  readonly signal: AbortSignal;
  /** The notices of progress that clients have sent, each as its parameters. */
  readonly progress: readonly Json[];
  notify(method: string, params?: Json): void;
  /** Notifies without saying which request it belongs to. */
  announce(method: string, params?: Json): void;
  /** Asks the client in the way of the revision. */
  ask(questions: Questions, state?: string): Promise<Record<string, Json>>;
}

/** An error answer, as it is sent. */
export class Refused extends Error {
  readonly error: Json;
  constructor(error: Json) {
    super(String(error.message));
    this.error = error;
  }
}

class InputRequired extends Error {
  readonly result: Json;
  constructor(result: Json) {
    super('input required');
    this.result = result;
  }
}

/** What a server of a test does. */
export interface Parts {
  readonly capabilities: Json;
  readonly handle: (request: Request) => Promise<Json> | Json;
  /** Runs when a client has made its handshake. `ask` belongs to no request. */
  readonly initialized?: (ask: (method: string) => Promise<Json>) => void;
}

type Send = (message: Json) => void;

/**
 * A server of one revision that parses nothing and writes what a test says, so that a difference is the
 * difference of whoever passes it on.
 */
export class RawServer {
  readonly #era: Era;
  readonly #parts: Parts;
  readonly #asked = new Map<unknown, PromiseWithResolvers<Json>>();
  readonly #running = new Map<unknown, AbortController>();
  readonly announce: Set<Send> = new Set();
  /** States that were given to clients. */
  readonly #states = new Set<unknown>();
  readonly #progress: Json[] = [];
  #capabilities: Json = {};
  #lastId = 0;

  constructor(era: Era, parts: Parts) {
    this.#era = era;
    this.#parts = parts;
  }

  async receive(message: Json, send: Send): Promise<void> {
    const { id, method } = message;
    const params = (message.params ?? {}) as Json;
    if (typeof method !== 'string') {
      const asked = this.#asked.get(id);
      this.#asked.delete(id);
      if (message.error) asked?.reject(new Refused(message.error as Json));
      else asked?.resolve(message.result as Json);
      return;
    }
    if (id === undefined) {
      if (method === 'notifications/cancelled')
        this.#running.get(params.requestId)?.abort(params.reason);
      if (method === 'notifications/progress') this.#progress.push(params);
      if (method === 'notifications/initialized')
        this.#parts.initialized?.((name) => this.#ask(name, undefined, this.#toAll));
      return;
    }
    const stop = new AbortController();
    this.#running.set(id, stop);
    const answer = await this.#answer(method, params, stop.signal, send).then(
      (result) => ({ result }),
      (error: unknown) => {
        if (error instanceof InputRequired) return { result: error.result };
        if (error instanceof Refused) return { error: error.error };
        return { error: { code: -32603, message: String(error) } };
      },
    );
    this.#running.delete(id);
    if (!stop.signal.aborted) send({ jsonrpc: '2.0', id, ...answer });
  }

  /** Stops a request whose client has gone. */
  abort(id: unknown): void {
    this.#running.get(id)?.abort();
  }

  readonly #toAll: Send = (message) => {
    for (const send of this.announce) send(message);
  };

  async #answer(method: string, params: Json, signal: AbortSignal, send: Send): Promise<Json> {
    const era = this.#era;
    const meta = (params._meta ?? {}) as Json;
    const isModern = meta['io.modelcontextprotocol/protocolVersion'] === MODERN;
    const serverInfo = { name: 'fixture', version: '1' };
    const { capabilities } = this.#parts;
    if (era === 'modern') {
      if (method === 'initialize' || !isModern)
        throw new Refused({
          code: -32022,
          message: 'Unsupported protocol version',
          data: { supported: [MODERN] },
        });
      if (method === 'server/discover')
        return {
          ...{ resultType: 'complete', supportedVersions: [MODERN], capabilities, serverInfo },
          ...{ instructions: 'Fixture. Use it in tests.', ttlMs: 0, cacheScope: 'private' },
        };
      if (method === 'subscriptions/listen') return this.#listen(params, signal, send);
    } else {
      if (method === 'initialize') {
        this.#capabilities = params.capabilities as Json;
        const { protocolVersion } = params;
        const instructions = 'Fixture. Use it in tests.';
        return { protocolVersion, capabilities, serverInfo, instructions };
      }
      if (isModern || method === 'server/discover')
        throw new Refused({ code: -32601, message: 'Method not found' });
      if (method === 'ping') return {};
    }
    const result = await this.#parts.handle({
      ...{ era, method, params, meta, signal, progress: this.#progress },
      capabilities:
        era === 'modern'
          ? (meta['io.modelcontextprotocol/clientCapabilities'] as Json)
          : this.#capabilities,
      notify: (name, told) => send({ jsonrpc: '2.0', method: name, ...(told && { params: told }) }),
      announce: (name, told) =>
        this.#toAll({ jsonrpc: '2.0', method: name, ...(told && { params: told }) }),
      ask: (questions, state) =>
        era === 'modern'
          ? this.#askModern(questions, state, params)
          : this.#askLegacy(questions, send),
    });
    if (era === 'legacy') return result;
    const isCacheable = /list$|read$/.test(method);
    return {
      ...result,
      ...(result.resultType === undefined && { resultType: 'complete' }),
      ...(isCacheable && { ttlMs: 0, cacheScope: 'private' }),
    };
  }

  async #askLegacy(questions: Questions, send: Send): Promise<Record<string, Json>> {
    const asked = Object.entries(questions).map(
      async ([key, { method, params }]) => [key, await this.#ask(method, params, send)] as const,
    );
    return Object.fromEntries(await Promise.all(asked));
  }

  #ask(method: string, params: Json | undefined, send: Send): Promise<Json> {
    const id = `ask-${++this.#lastId}`;
    const asked = Promise.withResolvers<Json>();
    this.#asked.set(id, asked);
    send({ jsonrpc: '2.0', id, method, ...(params && { params }) });
    return asked.promise;
  }

  async #askModern(
    questions: Questions,
    state: string | undefined,
    { inputResponses, requestState }: Json,
  ): Promise<Record<string, Json>> {
    const given = (inputResponses ?? {}) as Record<string, Json>;
    const isWhole = Object.keys(questions).every((key) => typeof given[key] === 'object');
    const isOurs = requestState === undefined || this.#states.has(requestState);
    if (!isOurs) throw new Refused({ code: -32602, message: 'The requestState was changed' });
    if (isWhole && (state === undefined || requestState === state)) return given;
    this.#states.add(state);
    throw new InputRequired({
      resultType: 'input_required',
      inputRequests: questions,
      ...(state !== undefined && { requestState: state }),
    });
  }

  #listen(params: Json, signal: AbortSignal, send: Send): Promise<Json> {
    const told: Send = (message) => send(message);
    this.announce.add(told);
    send({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: params.notifications as Json },
    });
    const { promise, resolve } = Promise.withResolvers<Json>();
    signal.addEventListener('abort', () => {
      this.announce.delete(told);
      resolve({ resultType: 'complete' });
    });
    return promise;
  }
}

/** Calls the listener with each line. `node:readline` also splits at U+2028, which JSON may contain. */
export function onLines(stream: Readable, listener: (line: string) => void): void {
  let pending = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    const lines = (pending + part).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) listener(line);
  });
}

/** Serves one client on stdin and stdout. */
export function serveStdio(era: Era, parts: Parts): void {
  const server = new RawServer(era, parts);
  const send: Send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
  if (era === 'legacy') server.announce.add(send);
  onLines(process.stdin, (line) => void server.receive(JSON.parse(line), send));
  process.stdin.on('end', () => process.exit());
}

/** Serves over HTTP on a free port, until it is closed. */
export async function serveHttp(
  era: Era,
  partsOf: () => Parts,
): Promise<{ readonly url: string; close(): void }> {
  const sessions = new Map<string, RawServer>();
  const shared = era === 'modern' ? new RawServer(era, partsOf()) : undefined;
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = String(request.headers['mcp-session-id'] ?? '');
    if (request.method === 'DELETE') {
      sessions.delete(id);
      return void response.writeHead(200).end();
    }
    if (request.method === 'GET') {
      const known = sessions.get(id);
      if (known === undefined) return void response.writeHead(405).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      const send = eventsOf(response);
      known.announce.add(send);
      return void response.on('close', () => known.announce.delete(send));
    }
    const message = JSON.parse(await text(request)) as Json;
    const isFirst = message.method === 'initialize';
    const made = randomUUID();
    if (era === 'legacy' && isFirst) sessions.set(made, new RawServer(era, partsOf()));
    const target = shared ?? sessions.get(isFirst ? made : id);
    if (target === undefined)
      return void response.writeHead(id === '' ? 400 : 404).end('no session');
    if (message.id === undefined || message.method === undefined) {
      await target.receive(message, () => {});
      return void response.writeHead(202).end();
    }
    response
      .writeHead(200, {
        'content-type': 'text/event-stream',
        ...(era === 'legacy' && isFirst && { 'mcp-session-id': made }),
      })
      .flushHeaders();
    response.on('close', () => target.abort(message.id));
    await target.receive(message, eventsOf(response));
    response.end();
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function eventsOf(response: ServerResponse): Send {
  return (message) => response.write(`data: ${JSON.stringify(message)}\n\n`);
}
