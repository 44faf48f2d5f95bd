import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@toolfold/core/internal/values/json.ts';
import type { Client, ClientHost } from './client.ts';
import { HttpSessions } from './http-sessions.ts';

/** A host that notes which clients have ended. */
function hostOf(ended: Client[]): ClientHost {
  return {
    handle: async () => ({}),
    welcome: async () => ({}),
    rootsChanged: () => {},
    toolOf: () => '',
    closed: async (client) => void ended.push(client),
    log: () => {},
  };
}

const MINUTE = 60_000;

test('a session that nobody uses for half an hour ends, and one with a stream or a call stays', async (context) => {
  let clock = 0;
  context.mock.method(performance, 'now', () => clock);
  context.mock.timers.enable({ apis: ['setInterval'] });
  const ended: Client[] = [];
  const held = Promise.withResolvers<JsonObject>();
  const sessions = new HttpSessions({ ...hostOf(ended), handle: () => held.promise });
  const [left, used, streaming, calling] = Array.from({ length: 4 }, () => sessions.begin());
  assert.ok(left && used && streaming && calling);
  streaming.open({ send: () => {}, end: () => {} });
  const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} };
  await calling.client.receive(initialize, { send: () => {} });
  void calling.client.receive(call, { send: () => {} });
  for (let minute = 1; minute <= 31; minute++) {
    clock += MINUTE;
    if (minute === 20) sessions.find(used.id);
    context.mock.timers.tick(MINUTE);
  }
  assert.deepEqual(ended, [left.client]);
  assert.equal(sessions.find(left.id), undefined);
  assert.equal(sessions.size, 3);
  held.resolve({});
  await sessions.close();
});

test('the oldest idle session ends for a new one, and a used one never does', async () => {
  const ended: Client[] = [];
  const sessions = new HttpSessions(hostOf(ended));
  const made = Array.from({ length: 256 }, () => sessions.begin());
  for (const session of made.slice(1)) session?.open({ send: () => {}, end: () => {} });
  const next = sessions.begin();
  assert.ok(next);
  assert.deepEqual(ended, [made[0]?.client]);
  next.open({ send: () => {}, end: () => {} });
  assert.equal(sessions.begin(), undefined);
  await sessions.close();
});

test('messages for a client without a stream are few and short', async () => {
  for (const [length, kept] of [
    [10, 100],
    [200_000, 4],
  ] as const) {
    const sessions = new HttpSessions(hostOf([]));
    const session = sessions.begin() ?? assert.fail();
    for (let n = 0; n < 150; n++)
      session.client.notify('notifications/message', { data: 'x'.repeat(length), n });
    const sent: JsonObject[] = [];
    session.open({ send: (message) => void sent.push(message), end: () => {} });
    assert.equal(sent.length, kept);
    assert.match(JSON.stringify(sent.at(-1)), /"n":149/);
    await sessions.close();
  }
});
