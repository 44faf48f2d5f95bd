import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOAuthServer } from '../../test/login/oauth-server.test-support.ts';
import { entryOf, loginFolder, NAME } from '../../test/login/session.test-support.ts';
import type { HttpServerEntry } from '../config/config.ts';
import { AddressCheck, authorizationFetch, isInside } from './authorization-fetch.ts';
import { loginContext } from './login-context.ts';

/** What the names of these tests resolve to. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'mcp.example.com': ['203.0.113.7', '2001:db8::7'],
  'login.example.com': ['203.0.113.8'],
  'rebound.example.com': ['203.0.113.9', '127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'six.example.com': ['::ffff:10.0.0.1'],
  'mcp.corp.example.com': ['10.1.2.3'],
  'login.corp.example.com': ['10.1.2.4'],
};

const resolve = async (host: string): Promise<readonly string[]> =>
  NAMES[host] ?? Promise.reject(new Error('ENOTFOUND'));

const PUBLIC = 'https://mcp.example.com/mcp';
const INSIDE = /private network/;
const PLAIN = /no https address/;

/** Where a server leads, and why it must not; `undefined` where it may. */
const rows: readonly (readonly [server: string, target: string, refused: RegExp | undefined])[] = [
  [PUBLIC, 'https://login.example.com/token', undefined],
  [PUBLIC, 'https://mcp.example.com/token', undefined],
  ['http://mcp.example.com/mcp', 'http://mcp.example.com/token', undefined],
  [PUBLIC, 'https://unknown.example.com/token', undefined],
  [PUBLIC, 'http://login.example.com/token', PLAIN],
  [PUBLIC, 'http://127.0.0.1:8080/admin', PLAIN],
  [PUBLIC, 'data:application/json,{}', PLAIN],
  ...[
    ...['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0', '10.0.0.1'],
    ...['172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '255.255.255.255'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
    ...['[64:ff9b::10.0.0.1]', '[64:ff9b:1::a00:1]', '[2002:7f00:1::]', '[fd00::1]', '[fe80::1]'],
    ...['localhost', 'localhost.', 'LOCALHOST', 'a.localhost', 'router', 'printer.local'],
    ...['vault.internal', 'rebound.example.com', 'metadata.example.com', 'six.example.com'],
  ].map((host) => [PUBLIC, `https://${host}/token`, INSIDE] as const),
  ['https://mcp.corp.example.com/mcp', 'https://login.corp.example.com/token', undefined],
  ['https://mcp.corp.example.com/mcp', 'http://login.corp.example.com/token', PLAIN],
  // A server whose name has one private address among others is not private.
  ['https://rebound.example.com/mcp', 'https://metadata.example.com/token', INSIDE],
  ['http://127.0.0.1:3000/mcp', 'http://127.0.0.1:4000/token', undefined],
  ['http://localhost:3000/mcp', 'https://login.example.com/token', undefined],
  ...['192.168.1.5', 'router'].map(
    (host) => [`http://${host}/mcp`, `http://${host}:8080/token`, undefined] as const,
  ),
];

for (const [server, target, refused] of rows)
  test(`${server} ${refused ? 'must not lead' : 'leads'} to ${target}`, async () => {
    const allowed = new AddressCheck(server, resolve).allow(new URL(target));
    if (refused) await assert.rejects(allowed, refused);
    else await allowed;
  });

test('public addresses are not inside', () => {
  for (const address of ['203.0.113.1', '8.8.8.8', '2001:db8::1', '64:ff9b::808:808', '2002:808::'])
    assert.equal(isInside(address), false, address);
  assert.equal(isInside('fe80::1%eth0'), true);
  assert.equal(isInside('no address'), true);
});

/** A `fetch` for the login of a server that is not known to be private. */
async function publicFetch(context: Parameters<typeof loginFolder>[0]): Promise<typeof fetch> {
  const entry: HttpServerEntry = entryOf('https://mcp.example.invalid/mcp');
  const folder = await loginFolder(context);
  return authorizationFetch(loginContext(NAME, entry, { folder }), true);
}

test('a request to an address inside is not sent', async (context) => {
  const server = await startOAuthServer(context);
  const send = await publicFetch(context);
  const port = new URL(server.issuer).port;
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:7f00:1]'])
    for (const scheme of ['http', 'https'])
      await assert.rejects(send(`${scheme}://${host}:${port}/token`), /private network|no https/);
  assert.deepEqual(server.requests, []);
});

test('a redirect to an address inside is not followed, and no request with tokens is', async (context) => {
  const asked: string[] = [];
  const redirects: Readonly<Record<string, string>> = {
    'https://login.example.invalid/a': '/b',
    'https://login.example.invalid/b': 'http://127.0.0.1/admin',
    'https://login.example.invalid/token': 'https://other.example.invalid/token',
  };
  context.mock.method(globalThis, 'fetch', async (input: URL, init: RequestInit) => {
    asked.push(input.href);
    assert.equal(init.redirect, 'manual');
    const location = redirects[input.href];
    return location ? new Response(null, { status: 307, headers: { location } }) : new Response('');
  });
  const send = await publicFetch(context);
  await assert.rejects(send('https://login.example.invalid/a'), /no https address/);
  const body = new URLSearchParams({ refresh_token: 'refresh-123456' });
  await assert.rejects(
    send('https://login.example.invalid/token', { method: 'POST', body }),
    /it redirects to https:\/\/other\.example\.invalid/,
  );
  assert.deepEqual(asked, [
    'https://login.example.invalid/a',
    'https://login.example.invalid/b',
    'https://login.example.invalid/token',
  ]);
});
