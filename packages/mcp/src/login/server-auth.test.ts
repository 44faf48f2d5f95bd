import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import {
  browse,
  type OAuthServerOptions,
  startOAuthServer,
} from '../../test/login/oauth-server.test-support.ts';
import {
  accept,
  assertNoSecret,
  connect,
  entryOf,
  loginFolder,
  NAME,
  recordConsole,
  storeOf,
} from '../../test/login/session.test-support.ts';
import { openTransport } from '../transport/transport.ts';
import { loginNeeded } from './login.ts';
import { authProviderFor, finishLogin } from './server-auth.ts';

const limited = { timeout: 30_000 };

/** A web server of the host. It keeps what the browser brings. */
async function startHost(
  context: TestContext,
): Promise<{ readonly redirectUrl: string; readonly answers: URLSearchParams[] }> {
  const answers: URLSearchParams[] = [];
  const host = createServer((request, response) => {
    answers.push(new URL(request.url ?? '', 'http://127.0.0.1').searchParams);
    response.end('thank you');
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  context.after(() => {
    host.close();
    host.closeAllConnections();
  });
  const { port } = host.address() as AddressInfo;
  return { redirectUrl: `http://127.0.0.1:${port}/mcp-login`, answers };
}

async function setUp(context: TestContext, options?: OAuthServerOptions) {
  const server = await startOAuthServer(context, options);
  const folder = await loginFolder(context);
  const host = await startHost(context);
  const entry = entryOf(server.url);
  const request = async () => {
    const { redirectUrl } = host;
    const auth = authProviderFor(NAME, entry, { folder, redirectUrl }) ?? assert.fail();
    const opened = await openTransport(entry, { authProvider: auth });
    context.after(() => opened.close());
    await opened.transport.start();
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;
    const error = await opened.transport.send(message).catch((reason: unknown) => reason);
    return { error, needed: loginNeeded(NAME, error, auth) ?? assert.fail(String(error)) };
  };
  return { server, folder, host, entry, request };
}

test('a host that is a web server prepares a login and finishes it', limited, async (context) => {
  const lines = recordConsole(context);
  const { server, folder, host, entry, request } = await setUp(context);
  const { error, needed } = await request();
  assert.equal(needed.reason, 'it needs a login');
  const { url = '' } = needed;
  assert.equal(new URL(url).searchParams.get('redirect_uri'), host.redirectUrl);
  // Another request, also of another process, gets the same address.
  assert.equal((await request()).needed.url, url);
  assert.equal(server.to('/register').length, 1);
  await browse(url);
  const [answer = assert.fail()] = host.answers;
  const wrong = new URLSearchParams({ code: 'x', state: 'other' });
  const failure = await finishLogin(NAME, entry, wrong, { folder }).catch((reason) => reason);
  assert.equal(failure.code, 'invalid-option');
  await finishLogin(NAME, entry, answer, { folder });
  const session = await connect(context, entry, { folder });
  await session.call({ key: 1 });
  assert.deepEqual(server.effects, [{ key: 1 }]);
  assert.equal((await storeOf(server, folder).read()).pending, undefined);
  await assert.rejects(finishLogin(NAME, entry, answer, { folder }), { code: 'invalid-option' });
  assertNoSecret(server, failure, lines, String(error));
});

test(
  'an answer of another issuer fails, and the next request prepares another login',
  limited,
  async (context) => {
    const { server, folder, host, entry, request } = await setUp(context);
    server.changeAnswer = (answer) => answer.set('iss', 'https://evil.example.com');
    const first = (await request()).needed.url ?? '';
    await browse(first);
    const [answer = assert.fail()] = host.answers;
    await assert.rejects(
      finishLogin(NAME, entry, answer, { folder }),
      /another authorization server/,
    );
    assert.equal(server.to('/token').length, 0);
    const second = (await request()).needed.url;
    assert.ok(second !== undefined && second !== first);
  },
);

test('a login that cannot be prepared has no address', limited, async (context) => {
  const { request } = await setUp(context, { registers: false });
  const { needed } = await request();
  assert.deepEqual(needed, { reason: 'it needs a login', remedy: 'Run: toolfold login vault' });
});

test('a login of the command line replaces a prepared one', limited, async (context) => {
  const { server, folder, request } = await setUp(context);
  await request();
  await accept(server, folder);
  const { tokens, pending } = await storeOf(server, folder).read();
  assert.notEqual(tokens, undefined);
  assert.equal(pending, undefined);
});
