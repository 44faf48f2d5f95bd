import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { JsonObject } from '@toolfold/core/internal/values/json.ts';
import { HttpClient } from '../../test/gateway/raw-client.test-support.ts';
import { fixtureEntry, openGateway } from '../../test/gateway/scene.test-support.ts';
import type { ClientHost } from './client.ts';
import { serveHttp } from './http-server.ts';

const limited = { timeout: 60_000 };

const HANDSHAKE = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  },
});
const PING = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });

interface Got {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
  readonly session: string | undefined;
}

interface Send {
  (body: string, headers?: Record<string, string>, method?: string, path?: string): Promise<Got>;
  readonly port: string;
}

async function open(context: TestContext, token?: string): Promise<Send> {
  const log: string[] = [];
  const gateway = openGateway(
    context,
    { fixture: await fixtureEntry(context, 'legacy') },
    { mode: 'eager', log: (line) => log.push(line) },
  );
  const server = await serveHttp(gateway, {
    ...{ host: '127.0.0.1', port: 0, token, maxBody: 10_000 },
    ...{ schemaOf: gateway.schemaOf, health: () => gateway.health() },
  });
  context.after(() => server.close());
  const { port } = new URL(server.url);
  const send = async (
    body: string,
    headers: Record<string, string> = {},
    method = 'POST',
    path = '/mcp',
  ): Promise<Got> => {
    const asked = request({
      ...{ host: '127.0.0.1', port, method, path },
      headers: { accept: 'application/json, text/event-stream', ...headers },
    });
    asked.end(method === 'POST' ? body : undefined);
    const [response] = await new Promise<[import('node:http').IncomingMessage]>(
      (resolve, reject) => {
        asked.on('response', (one) => resolve([one])).on('error', reject);
      },
    );
    const session = response.headers['mcp-session-id'];
    return {
      status: response.statusCode ?? 0,
      type: response.headers['content-type'],
      body: await text(response),
      session: typeof session === 'string' ? session : undefined,
    };
  };
  return Object.assign(send, { port });
}

test(
  'a request that was cancelled ends as a stream without an answer',
  limited,
  async (context) => {
    const send = await open(context);
    const { session = '' } = await send(HANDSHAKE);
    const inSession = { 'mcp-session-id': session };
    const call = (id: number, name: string): Promise<Got> => {
      const params = { name: `fixture__${name}`, arguments: {} };
      return send(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }), inSession);
    };
    const hanging = call(3, 'hang');
    // The server has the first call when it answers the second.
    await call(4, 'count');
    const params = { requestId: 3 };
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    assert.equal((await send(JSON.stringify(cancel), inSession)).status, 202);
    const { status, type, body } = await hanging;
    assert.deepEqual([status, type, body], [200, 'text/event-stream', '']);
  },
);

test(
  'promise 73: only programs of this machine, and no pages of other sites, are answered',
  limited,
  async (context) => {
    const send = await open(context);
    assert.equal((await send(HANDSHAKE)).status, 200);
    const foreign: readonly Record<string, string>[] = [
      { host: 'evil.example.com' },
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
    ];
    for (const headers of foreign) {
      const { status, body } = await send(HANDSHAKE, headers);
      assert.equal(status, 403);
      assert.match(JSON.parse(body).error.message, /Host|Origin/);
    }
    assert.equal((await send(HANDSHAKE, { origin: 'http://localhost:6274' })).status, 200);
  },
);

test('promise 73: with a token, nobody else is answered', limited, async (context) => {
  const token = 'a-long-token-of-a-test';
  const send = await open(context, token);
  for (const authorization of [undefined, 'Bearer wrong', `Basic ${token}`, `Bearer ${token}x`]) {
    const { status, body } = await send(HANDSHAKE, authorization ? { authorization } : {});
    assert.equal(status, 401);
    assert.match(body, /token/);
    assert.doesNotMatch(body, new RegExp(token));
  }
  const { status } = await send('', {}, 'GET', '/healthz');
  assert.equal(status, 401);
  assert.equal((await send(HANDSHAKE, { authorization: `Bearer ${token}` })).status, 200);
});

test(
  'bodies that are malformed or too long are refused, and nothing else is affected',
  limited,
  async (context) => {
    const send = await open(context);
    const { session = '' } = await send(HANDSHAKE);
    const headers = { 'mcp-session-id': session };
    const cases: readonly (readonly [string, number])[] = [
      ['{', 400],
      ['[]', 400],
      [`[${PING}]`, 400],
      ['5', 400],
      ['{"id":1,"method":"ping"}', 400],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 200],
      [JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(20_000) }), 413],
    ];
    for (const [body, status] of cases) {
      const got = await send(body, headers);
      assert.equal(got.status, status, body.slice(0, 40));
      assert.ok(JSON.parse(got.body).error, body.slice(0, 40));
    }
    const chunked = await send('x'.repeat(20_000), { ...headers, 'transfer-encoding': 'chunked' });
    assert.equal(chunked.status, 413);
    assert.equal((await send(PING, headers)).status, 200);
  },
);

test('a client that never ends its body holds up nobody', limited, async (context) => {
  const send = await open(context);
  const sockets = Array.from({ length: 20 }, () => {
    const socket = connect(Number(send.port), '127.0.0.1');
    context.after(() => socket.destroy());
    socket.write('POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"jsonrpc":');
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  assert.equal((await send(HANDSHAKE)).status, 200);
});

test('a session that has ended is 404, and none is 400', limited, async (context) => {
  const send = await open(context);
  const { session = '' } = await send(HANDSHAKE);
  const headers = { 'mcp-session-id': session };
  assert.equal((await send(PING, headers)).status, 200);
  assert.equal((await send(PING)).status, 400);
  assert.equal((await send('', headers, 'DELETE')).status, 200);
  for (const method of ['POST', 'GET', 'DELETE'])
    assert.equal((await send(PING, headers, method)).status, 404);
  assert.equal((await send(PING, {}, 'PUT')).status, 405);
  assert.equal((await send(PING, {}, 'POST', '/other')).status, 404);
});

test('the health check names each server and its state', limited, async (context) => {
  const send = await open(context);
  const first = JSON.parse((await send('', {}, 'GET', '/healthz')).body);
  assert.deepEqual(first.servers, [{ name: 'fixture', state: 'idle', tools: 0 }]);
  const { session = '' } = await send(HANDSHAKE);
  const list = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/list' });
  await send(list, { 'mcp-session-id': session });
  const { status, body } = await send('', {}, 'GET', '/healthz');
  assert.equal(status, 200);
  const { servers, sessions } = JSON.parse(body);
  assert.equal(sessions, 1);
  assert.equal(servers[0].name, 'fixture');
  assert.equal(servers[0].state, 'ready');
});

test('what is under way when the server is closed is answered', limited, async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<JsonObject>();
  const host: ClientHost = {
    handle: () => {
      asked.resolve();
      return answer.promise;
    },
    welcome: async () => ({}),
    rootsChanged: () => {},
    closed: async () => {},
    toolOf: () => '',
    log: () => {},
  };
  const access = { host: '127.0.0.1', port: 0, token: undefined };
  const server = await serveHttp(host, { ...access, schemaOf: () => ({}), health: () => ({}) });
  const client = new HttpClient(server.url, { era: 'modern' });
  const call = client.request('tools/call', { name: 'x' });
  await asked.promise;
  const closed = server.close();
  setImmediate(() => answer.resolve({ content: [] }));
  assert.deepEqual((await call).result?.content, []);
  await closed;
});

test('the servers are listed before the first client came', limited, async (context) => {
  const send = await open(context);
  const { body } = await send('', {}, 'GET', '/healthz');
  assert.match(body, /"name":"fixture","state":"idle"/);
});

test('a body that is too long is answered when it was read that far', limited, async (context) => {
  const send = await open(context);
  const socket = connect(Number(send.port), '127.0.0.1').setEncoding('utf8');
  context.after(() => socket.destroy());
  let got = '';
  socket.on('data', (part) => {
    got += part;
  });
  socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20000\r\n\r\n');
  for (let count = 0; count < 3; count++) await send('', {}, 'GET', '/healthz');
  // A client that still writes to a connection that is closed would not read why.
  assert.equal(got, '');
  socket.write('x'.repeat(20_000));
  while (!got.includes('too long')) await once(socket, 'data');
  assert.match(got, / 413 /);
});
