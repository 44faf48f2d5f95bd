import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyMessage } from '@agentclientprotocol/sdk';
import { Keys } from '../models/model.ts';
import { guardedStream } from './serve.ts';

test('messages leave without secrets, and errors without what is nested too deeply', async () => {
  const sent: AnyMessage[] = [];
  const keys = new Keys({ ACME_API_KEY: 'swordfish-1', OTHER: 'plain-text', SHORT_API_KEY: 'x' });
  keys.add('swordfish-2');
  const { writable } = guardedStream(
    {
      readable: new ReadableStream<AnyMessage>(),
      writable: new WritableStream<AnyMessage>({ write: (message) => void sent.push(message) }),
    },
    (message) => keys.redacted(message),
  );
  const writer = writable.getWriter();
  let deep: unknown = 'swordfish-1';
  for (let level = 0; level < 50_000; level++) deep = [deep];
  const params = { words: 'swordfish-1, swordfish-2 and plain-text' };
  await writer.write({ jsonrpc: '2.0', method: 'm', params });
  const error = { code: -32600, message: 'Invalid request', data: deep };
  await writer.write({ jsonrpc: '2.0', id: 1, error });
  assert.deepEqual(sent, [
    {
      jsonrpc: '2.0',
      method: 'm',
      params: { words: '[redacted], [redacted] and plain-text' },
    },
    { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'Invalid request' } },
  ]);
  assert.equal(keys.hide('at swordfish-2'), 'at [redacted]');
});
