import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { startMcpServer } from '@toolfold/testing/internal/doubles/mcp-server.ts';
import type { HttpServerEntry } from '../src/config/config.ts';
import { secretTexts } from '../src/redact.ts';
import { started } from './server/server-connection.test-support.ts';

const limited = { timeout: 30_000 };

async function listen(context: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

function entry(url: string, rest: Partial<HttpServerEntry> = {}): HttpServerEntry {
  return { kind: 'http', url, headers: new Map(), secrets: [], ...rest };
}

function mcp(legacy: 'stateless' | 'reject', seen: Headers[]): RequestListener {
  const handler = createMcpHandler(
    () => {
      const server = new Server({ name: 'web', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler('tools/list', () => ({
        tools: [{ name: 'a', inputSchema: { type: 'object' as const }, odd: 'kept' }],
      }));
      server.setRequestHandler('tools/call', (request) => ({
        content: [{ type: 'text', text: JSON.stringify(request.params.arguments) }],
      }));
      return server;
    },
    { legacy },
  );
  return async (request, response) => {
    const headers = new Headers(request.headers as Record<string, string>);
    seen.push(headers);
    const hasBody = request.method === 'POST';
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method ?? 'GET',
        headers,
        ...(hasBody ? { body: new Uint8Array(await buffer(request)) } : {}),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
}

for (const [era, legacy] of [
  ['2025-11-25', 'stateless'],
  ['2026-07-28', 'reject'],
] as const) {
  test(`a server of revision ${era}`, limited, async (context) => {
    const seen: Headers[] = [];
    const serve = mcp(legacy, seen);
    // A server of the older era does not know the client's first request.
    const old: RequestListener = (request, response) => {
      if (request.headers['mcp-method'] === undefined) return serve(request, response);
      response.writeHead(400).end();
    };
    const url = await listen(context, era === '2025-11-25' ? old : serve);
    const connection = await started(context, entry(url, { headers: new Map([['x-key', 'k']]) }));
    assert.ok(connection.state.kind === 'ready', JSON.stringify(connection.state));
    assert.equal(connection.listing?.protocolVersion, era);
    assert.equal(connection.listing?.tools[0]?.odd, 'kept');
    const result = await connection.callTool('a', { x: 1 }, {});
    assert.deepEqual((result as { content: unknown }).content, [{ type: 'text', text: '{"x":1}' }]);
    assert.ok(seen.every((headers) => headers.get('x-key') === 'k'));
    await connection.close();
    assert.equal(connection.state.kind, 'closed');
  });
}

test(
  'a missing MCP endpoint, refused access and a dead server give a readable reason',
  limited,
  async (context) => {
    const answer = (status: number, type: string, body: string): RequestListener => {
      return (_request, response) => response.writeHead(status, { 'content-type': type }).end(body);
    };
    const cases: [RequestListener, RegExp][] = [
      [answer(401, 'text/plain', 'no'), /refused access \(HTTP 401 Unauthorized: no\)/],
      [answer(404, 'text/plain', 'no'), /no MCP server at its url \(HTTP 404 Not Found: no\)/],
      [answer(500, 'text/plain', 'key hunter2-hunter2'), /HTTP 500/],
      [answer(200, 'text/html', '<html>'), /text\/html/],
      [() => {}, /did not answer within 1 s/],
    ];
    for (const [listener, expected] of cases) {
      const url = await listen(context, listener);
      const headers = new Map([['authorization', 'Bearer hunter2-hunter2']]);
      const server = entry(url, { headers, secrets: secretTexts(headers.values()) });
      const { state } = await started(context, server, 1000);
      assert.ok(state.kind === 'failed');
      assert.match(state.reason, expected);
      assert.doesNotMatch(state.reason, /hunter2/);
    }
  },
);

test('a refused connection is named in the reason', limited, async (context) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const { state } = await started(context, entry(`http://127.0.0.1:${port}/mcp`));
  assert.ok(state.kind === 'failed');
  assert.match(state.reason, /ECONNREFUSED/);
});

test('an SSE entry uses the older transport', limited, async (context) => {
  const asked: string[] = [];
  const url = await listen(context, (request, response) => {
    asked.push(`${request.method} ${request.headers.accept}`);
    response.writeHead(404).end();
  });
  const { state } = await started(context, entry(url, { kind: 'sse' }));
  assert.equal(state.kind, 'failed');
  assert.deepEqual(asked, ['GET text/event-stream']);
});

test('a transport of the host', limited, async (context) => {
  const server = await startMcpServer({ tools: [{ name: 'a', inputSchema: {} }], pageSize: 1 });
  context.after(() => server.close());
  const entry = { kind: 'transport', transport: server.transport, secrets: [] } as const;
  const connection = await started(context, entry);
  await connection.callTool('a', { x: 1 });
  assert.deepEqual(server.calls, [{ name: 'a', input: { x: 1 } }]);
});
