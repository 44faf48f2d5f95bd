import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { boundedFetch, OwnSignal } from '../../src/transport/bounded-fetch.ts';
import { PendingRequests } from '../../src/transport/pending-requests.ts';
import { EVENTS, eventFor, WebServer } from '../chaos/web-server.test-support.ts';

test('the signal of a request fires with the shared one, until the request has ended', () => {
  const shared = new AbortController();
  const [running, ended] = [new OwnSignal(shared.signal), new OwnSignal(shared.signal)];
  ended.release();
  shared.abort('enough');
  assert.equal(running.signal.reason, 'enough');
  assert.equal(ended.signal.aborted, false);
  assert.equal(new OwnSignal(shared.signal).signal.reason, 'enough');
});

test('further requests leave no listener on the signal of their connection, however they end', async (context) => {
  const web = await WebServer.begin(context);
  web.hasSessions = false;
  const { signal } = new AbortController();
  const fetch = boundedFetch({
    ...{ requests: new PendingRequests(), breach: new AbortController(), secrets: [] },
    isOneStream: false,
  });
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}';
  const send = () => fetch(web.entry().url, { method: 'POST', body, signal });
  const ways: (() => Promise<unknown>)[] = [
    async () => (await send()).json(),
    async () => {
      web.onCall = (_message, response) => response.writeHead(500).end('x');
      await send();
    },
    async () => {
      web.onCall = (message, response) => response.writeHead(200, EVENTS).end(eventFor(message));
      await (await send()).text();
    },
    async () => {
      web.onCall = (_message, response) => {
        response.writeHead(200, EVENTS).write(': begin\n\n', () => response.destroy());
      };
      await (await send()).text().catch(() => {});
    },
    async () => {
      web.onCall = (_message, response) => response.writeHead(200, EVENTS).flushHeaders();
      await (await send()).body?.cancel();
    },
    async () => {
      web.onCall = (_message, response) => response.destroy();
      await send().catch(() => {});
    },
  ];
  // The first request does not know yet whether its signal is for one request only.
  await (await send()).json();
  const first = getEventListeners(signal, 'abort').length;
  for (const [index, way] of ways.entries()) {
    await way();
    assert.equal(getEventListeners(signal, 'abort').length, first, `way ${index}`);
  }
});
