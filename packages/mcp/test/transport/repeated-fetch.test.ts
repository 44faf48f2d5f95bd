import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { repeatedFetch } from '../../src/transport/bounded-fetch.ts';

/** A server that ends the first connections without an answer. */
async function start(
  context: TestContext,
  ends: number,
  end: (socket: Socket) => void,
): Promise<{ readonly url: string; readonly received: string[] }> {
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push(await text(request));
    if (received.length <= ends) end(request.socket);
    else response.end('answer');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const post = (method: string): RequestInit => ({
  method: 'POST',
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
});

for (const [how, end] of [
  ['closed', (socket: Socket) => void socket.destroy()],
  ['reset', (socket: Socket) => void socket.resetAndDestroy()],
] as const) {
  test(`a connection that was ${how}: a listing is sent once more`, async (context) => {
    const { url, received } = await start(context, 1, end);
    const response = await repeatedFetch(url, post('tools/list'));
    assert.equal(await response.text(), 'answer');
    assert.equal(received.length, 2);
    assert.equal(received[0], received[1]);
  });

  test(`a connection that was ${how}: a listing is not sent a third time`, async (context) => {
    const { url, received } = await start(context, 2, end);
    await assert.rejects(repeatedFetch(url, post('tools/list')), /fetch failed/);
    assert.equal(received.length, 2);
  });

  test(`a connection that was ${how}: a call is not repeated`, async (context) => {
    const { url, received } = await start(context, 1, end);
    await assert.rejects(repeatedFetch(url, post('tools/call')), /fetch failed/);
    await assert.doesNotReject(repeatedFetch(url));
    assert.deepEqual(received, [post('tools/call').body, '']);
  });
}
