import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { openCallbackServer } from './callback.ts';

const limited = { timeout: 10_000 };

test(
  'each listener has its own path, and ends with connections that never sent anything',
  limited,
  async () => {
    const first = await openCallbackServer(0);
    const second = await openCallbackServer(0);
    const urls = [first, second].map(({ redirectUrl }) => new URL(redirectUrl));
    for (const url of urls) assert.match(url.href, /^http:\/\/127\.0\.0\.1:\d+\/[\da-f]{32}$/);
    assert.notEqual(urls[0]?.pathname, urls[1]?.pathname);
    // Browsers open connections in advance.
    const socket = connect(Number(urls[0]?.port), '127.0.0.1');
    await once(socket, 'connect');
    await Promise.all([first.close('failed'), second.close('done')]);
    socket.destroy();
  },
);

test('a signal that was aborted before ends the wait', limited, async () => {
  const server = await openCallbackServer(0);
  const signal = AbortSignal.abort(new Error('stopped'));
  await assert.rejects(server.answer('state', signal), /^Error: stopped$/);
  await server.close('failed');
});

test('only GET requests count, and nothing before the login has a state', limited, async () => {
  const server = await openCallbackServer(0, '/callback');
  const { redirectUrl } = server;
  assert.match(redirectUrl, /\/callback$/);
  const navigation = { 'sec-fetch-mode': 'navigate' };
  const url = `${redirectUrl}?code=c&state=s`;
  const early = await fetch(url, { method: 'POST', headers: navigation });
  assert.equal(early.status, 403);
  const text = await early.text();
  assert.doesNotMatch(text, /code|<script/);
  assert.equal(early.headers.get('cache-control'), 'no-store');
  assert.equal(early.headers.get('referrer-policy'), 'no-referrer');
  await server.close('failed');
});
