import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { HttpServerEntry } from '../../src/config/config.ts';

/** What a server does with a request: answers well, answers with a status, or not at all. */
export type Doing =
  | 'well'
  | 'silent'
  | 'json-rpc error'
  | 'page'
  | { readonly status: number; readonly text?: string; readonly challenge?: true };

/** What a server does with each part of the negotiation. */
export interface Doings {
  /** `server/discover`, the request of 2026-07-28. */
  probe: Doing;
  initialize: Doing;
  /** GET, the beginning of the transport of 2024. */
  get: Doing;
}

/** A server over HTTP whose handshake does what a test says. */
export interface NegotiationServer {
  readonly entry: HttpServerEntry;
  readonly doings: Doings;
  /** The requests, in order: `server/discover`, `initialize`, `GET`, … */
  readonly received: string[];
}

export async function startNegotiationServer(
  context: TestContext,
  doings: Doings,
): Promise<NegotiationServer> {
  const received: string[] = [];
  let stream: ServerResponse | undefined;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const message = body === '' ? {} : JSON.parse(body);
    const { id, method = request.method } = message;
    received.push(method);
    const isOld = request.url === '/old';
    /** Over the transport of 2024 answers come on the stream. */
    const answer = (rest: object): void => {
      const json = JSON.stringify({ jsonrpc: '2.0', id, ...rest });
      if (!isOld) response.writeHead(200, { 'content-type': 'application/json' }).end(json);
      else response.writeHead(202).end(() => stream?.write(`data: ${json}\n\n`));
    };
    const say = (doing: Doing, well: () => void): void => {
      if (doing === 'silent') return;
      if (doing === 'well') well();
      else if (doing === 'page')
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome');
      else if (doing === 'json-rpc error') answer({ error: { code: -32601, message: 'unknown' } });
      else {
        const headers = doing.challenge && { 'www-authenticate': 'Bearer realm="x"' };
        response.writeHead(doing.status, { ...headers }).end(doing.text);
      }
    };
    const serverInfo = { name: 'n', version: '1' };
    if (method === 'server/discover') {
      const supportedVersions = ['2026-07-28'];
      const kept = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
      say(doings.probe, () =>
        answer({ result: { ...kept, supportedVersions, capabilities: { tools: {} } } }),
      );
    } else if (method === 'initialize') {
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
      say(isOld ? 'well' : doings.initialize, () => answer({ result }));
    } else if (method === 'GET') {
      say(doings.get, () => {
        stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
        stream.write('event: endpoint\ndata: /old\n\n');
      });
    } else if (method === 'tools/list') {
      const tools = [{ name: 'a', inputSchema: { type: 'object' } }];
      const kept = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
      answer({ result: { ...(doings.probe === 'well' && kept), tools } });
    } else response.writeHead(202).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const entry: HttpServerEntry = { kind: 'http', url, headers: new Map(), secrets: [] };
  return { entry, doings, received };
}
