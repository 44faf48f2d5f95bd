import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { login, loginNeeded } from '../../src/login/login.ts';
import { authProviderFor } from '../../src/login/server-auth.ts';
import { openTransport } from '../../src/transport/transport.ts';
import { browse, type OAuthServer, startOAuthServer } from './oauth-server.test-support.ts';
import { entryOf, loginFolder, NAME } from './session.test-support.ts';

/** An MCP server over HTTP with SSE. Its tokens are those of the OAuth server. */
async function startSse(context: TestContext, oauth: OAuthServer) {
  const effects: unknown[] = [];
  const refused: string[] = [];
  let stream: ServerResponse | undefined;
  const answerTo = ({ method, params }: { method: string; params: { arguments: unknown } }) => {
    if (method === 'tools/list') return { tools: [] };
    if (method === 'initialize') {
      return {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'old', version: '1' },
      };
    }
    effects.push(params.arguments);
    return { content: [] };
  };
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const origin = `http://${headers.host}`;
    if (url === '/.well-known/oauth-protected-resource/sse') {
      response.setHeader('content-type', 'application/json');
      const metadata = { resource: `${origin}/sse`, authorization_servers: [oauth.issuer] };
      response.end(JSON.stringify(metadata));
      return;
    }
    if (!oauth.accepts(headers.authorization?.replace('Bearer ', '') ?? '')) {
      refused.push(method);
      response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
      return;
    }
    if (method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.write('event: endpoint\ndata: /messages\n\n');
      return;
    }
    const message = (await json(request)) as Parameters<typeof answerTo>[0] & { id?: number };
    response.writeHead(202).end();
    if (message.id === undefined) return;
    const answer = { jsonrpc: '2.0', id: message.id, result: answerTo(message) };
    stream?.write(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
  return { url, effects, refused };
}

test('HTTP with SSE: login, refresh in mid-session, and the need of a login', {
  timeout: 30_000,
}, async (context) => {
  const oauth = await startOAuthServer(context);
  const { url, effects, refused } = await startSse(context, oauth);
  const folder = await loginFolder(context);
  const entry = { ...entryOf(url), kind: 'sse' as const };
  const open = async () => {
    const auth = authProviderFor(NAME, entry, { folder });
    const opened = await openTransport(entry, { authProvider: auth });
    context.after(() => opened.close());
    return opened.transport;
  };
  const error = await (await open()).start().catch((reason: unknown) => reason);
  assert.equal(loginNeeded(NAME, error)?.remedy, 'Run: toolfold login vault');

  const done = await login(NAME, entry, { folder, onUrl: (address) => void browse(address) });
  assert.equal(done.kind, 'logged-in');

  // The connection itself is made with a token that was refused, and then a call.
  oauth.expireAll();
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(await open());
  oauth.expireAll();
  refused.length = 0;
  await client.callTool({ name: 'put', arguments: { key: 1 } });
  assert.deepEqual(effects, [{ key: 1 }]);
  assert.deepEqual(refused, ['POST']);

  oauth.revokeAll();
  const failure = await client.callTool({ name: 'put' }).catch((reason: unknown) => reason);
  assert.equal(loginNeeded(NAME, failure)?.reason, 'it needs a login');
});
