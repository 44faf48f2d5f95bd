import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { limited, type WebServer, webScene } from './web.test-support.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** Requests of others, and the code of the refusal. */
const FOREIGN: Readonly<Record<string, (server: WebServer) => Headers>> = {
  'another host': () => ({ host: 'evil.example.com' }),
  'another host that begins like this one': () => ({ host: 'localhost.example.com:80' }),
  'this host behind a user': () => ({ host: 'localhost@example.com' }),
  'the address of all interfaces': ({ port }) => ({ host: `0.0.0.0:${port}` }),
  'another page': () => ({ origin: 'http://evil.example.com' }),
  'a page of another port': () => ({ origin: 'http://127.0.0.1:1' }),
  'another name of this computer': ({ port }) => ({ origin: `http://localhost:${port}` }),
  'a page over https': ({ port }) => ({ origin: `https://127.0.0.1:${port}` }),
  'a page without an origin': () => ({ origin: 'null' }),
  'another site, as the browser says': () => ({ 'sec-fetch-site': 'cross-site' }),
  'another port, as the browser says': () => ({ 'sec-fetch-site': 'same-site' }),
};

const TOKENS: Readonly<Record<string, (token: string) => string | undefined>> = {
  none: () => undefined,
  empty: () => 'Bearer ',
  'of the same length': (token) => `Bearer ${'x'.repeat(token.length)}`,
  'cut by one character': (token) => `Bearer ${token.slice(0, -1)}`,
  'with one more': (token) => `Bearer ${token}x`,
  'as Basic credentials': (token) => `Basic ${token}`,
};

/** Each address, as it is asked. */
const ADDRESSES: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['GET', '/api/stream?session=SESSION'],
  ['POST', '/api/command?session=SESSION', '{"type":"cancel"}'],
  ['POST', '/api/sessions', '{}'],
  ['GET', '/api/sessions'],
  ['DELETE', '/api/sessions?session=SESSION'],
  ...[
    'turns?before=1',
    'bars?before=1',
    'value?address=a',
    'child?child=a',
    'export?',
    'prompt?request=1',
    'map?',
    'tool?name=a',
    'complete?text=@',
  ].map((path) => ['GET', `/api/${path}&session=SESSION`] as const),
  ['GET', '/api/nothing'],
];

describe('who is let in', limited, () => {
  test('no foreign host, origin or site reaches any address', async (context) => {
    const server = await (await webScene(context, [])).serve();
    for (const [name, headers] of Object.entries(FOREIGN))
      for (const [method, path, body] of [...ADDRESSES, ['GET', '/'] as const]) {
        const { status, text } = await server.ask(path.replace('SESSION', server.session), {
          ...{ method, headers: headers(server), ...(body === undefined ? {} : { body }) },
        });
        // What is no host at all is refused before the reply has a form.
        if (status === 400 && text === '') continue;
        assert.equal(status, 403, `${name}: ${method} ${path} ${text}`);
        assert.equal(JSON.parse(text).code, 'foreign');
      }
    for (const host of ['127.0.0.1:9', 'localhost', 'LOCALHOST:1234', '[::1]:80']) {
      const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
      assert.equal((await server.ask('/api/sessions', { headers })).status, 200, host);
    }
    // A link on another page, or in a terminal on the web. The page's files hold nothing of the user.
    const link = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    assert.notEqual((await server.ask('/', { headers: link })).status, 403);
    assert.equal((await server.ask('/api/sessions', { headers: link })).status, 403);
  });

  test('no address is answered without the token, and the page needs none', async (context) => {
    const server = await (await webScene(context, [])).serve();
    for (const [name, authorization] of Object.entries(TOKENS))
      for (const [method, path, body] of ADDRESSES) {
        const { status, text, headers } = await server.ask(
          path.replace('SESSION', server.session),
          {
            method,
            headers: { authorization: authorization(server.token) },
            ...(body === undefined ? {} : { body }),
          },
        );
        assert.equal(status, 401, `${name}: ${method} ${path}`);
        assert.equal(JSON.parse(text).code, 'no-token');
        assert.equal(headers['cache-control'], 'no-store');
      }
    const page = await server.ask('/', { headers: { authorization: undefined } });
    assert.ok([200, 404].includes(page.status));
    const policy = String(page.headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /);
    assert.match(policy, /frame-ancestors 'none'.*trusted-types svelte-trusted-html$/);
    for (const path of [
      '/../package.json',
      '/%2e%2e/package.json',
      '/.git/config',
      '/a/../../x.js',
    ])
      assert.equal((await rawGet(server, path)).includes('"name"'), false, path);
  });

  test('a malformed request gets a reply with a code and no stack', async (context) => {
    const server = await (await webScene(context, [])).serve();
    const command = `/api/command?session=${server.session}`;
    const cases: readonly (readonly [string, string, string])[] = [
      [command, '', 'invalid-json'],
      [command, '{"type":', 'invalid-json'],
      [command, '[]', 'unknown-command'],
      [command, '{"type":"constructor"}', 'unknown-command'],
      [command, '{"type":"say","id":"a"}', 'invalid-command'],
      [command, `{"type":"say","id":"${'x'.repeat(300)}","text":"a"}`, 'invalid-command'],
      [command, '{"type":"say","id":"a","text":"  "}', 'empty'],
      [command, '{"type":"answer","question":"q","answer":{"choice":"once"}}', 'gone'],
      [command, '{"type":"choose","role":"nobody"}', 'invalid-option'],
      [command, '{"type":"server","name":"nobody","on":false}', 'gone'],
      [command, '{"type":"take-back","id":"nothing"}', 'gone'],
      [command, '{"type":"rename","title":"New"}', 'nothing-said'],
      [command, '{"type":"fork","id":"f"}', 'nothing-said'],
      [command, '{"type":"cancel-quick","id":"q"}', 'gone'],
      ['/api/command?session=nobody', '{"type":"cancel"}', 'gone'],
      ['/api/sessions', '{"id":"nobody"}', 'gone'],
    ];
    for (const [path, body, code] of cases) {
      const { text, status } = await server.ask(path, { method: 'POST', body });
      const reply = JSON.parse(text);
      assert.deepEqual([reply.ok, reply.code], [false, code], `${body} ${text}`);
      assert.ok(status >= 400 && status < 500, body);
      assert.doesNotMatch(text, /\bat \S+ \(|\.ts:\d/);
    }
    for (const path of ['turns?before=x', 'value?address=none', 'child?child=none', 'export?'])
      assert.equal(
        JSON.parse((await server.ask(`/api/${path}&session=${server.session}`)).text).ok,
        false,
      );
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const post = { method: 'POST', headers };
      const large = await server.ask(command, { ...post, body: 'x'.repeat(40_000_001) });
      assert.deepEqual([large.status, JSON.parse(large.text).code], [413, 'too-large']);
      assert.equal((await server.ask(command, { ...post, body: '{"type":"cancel"}' })).status, 200);
    }
  });

  test('a port that another program has is named, with the way out', async (context) => {
    const scene = await webScene(context, []);
    const other = createServer((_, response) => response.end('Hello.')).listen(0, '127.0.0.1');
    context.after(() => other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const asked: string[] = [];
    other.on('request', ({ headers }) => asked.push(String(headers.authorization)));
    await (await scene.serve()).stop('SIGTERM');
    const child = scene.spawn('web', '--no-open', '--port', String(port), ...scene.flags);
    assert.ok(child.stderr);
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    assert.equal(code, 2);
    assert.match(said, new RegExp(`The port ${port} is taken .* toolfold web --port ${port + 1}`));
    // It does not get the token.
    assert.deepEqual(asked, ['undefined']);
  });
});

/** The answer to a path as it is, which an HTTP client would change. */
async function rawGet({ port }: WebServer, path: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}
