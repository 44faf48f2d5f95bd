import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KEY } from '@toolfold/core/internal/host/stamp.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { ModelMessage } from 'ai';
import fc from 'fast-check';
import { ENDPOINTS, modelOn } from '../../test/endpoints.test-support.ts';
import { DISPATCH } from '../../test/scenarios.test-support.ts';
import { Talk } from '../../test/talk.test-support.ts';
import { resultsOn } from '../../test/wire.test-support.ts';
import { createFold, type Fold } from '../index.ts';
import { readOutput } from './notes.ts';

const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
const OUTPUTS: readonly object[] = [
  { type: 'text', value: 'a' },
  { type: 'error-text', value: '' },
  { type: 'json', value: null },
  { type: 'error-json', value: [1] },
  { type: 'content', value: [] },
  {
    type: 'content',
    value: [
      { type: 'text', text: 'a', providerOptions },
      { type: 'file', data: { type: 'data', data: 'AAAA' }, mediaType: 'image/png' },
      { type: 'file', data: { type: 'text', text: 'a' }, mediaType: 'text/plain', filename: 'a' },
      { type: 'file', data: { type: 'reference', reference: { openai: 'f' } }, mediaType: 'image' },
      { type: 'custom', providerOptions },
    ],
  },
];
/** Values that may appear in place of an output. */
const FORGED: readonly unknown[] = [
  null,
  'text',
  [],
  { type: 'text' },
  { type: 'text', value: 5 },
  { type: 'error-text', value: {} },
  { type: 'json' },
  { type: 'content', value: 'text' },
  { type: 'content', value: [null] },
  { type: 'content', value: [{ type: 'text', text: 5 }] },
  { type: 'content', value: [{ type: 'file', data: 'AAAA', mediaType: 'image/png' }] },
  {
    type: 'content',
    value: [{ type: 'file', data: { type: 'url', url: 'no url' }, mediaType: '' }],
  },
  {
    type: 'content',
    value: [{ type: 'file', data: { type: 'data', data: { 0: 1 } }, mediaType: 'a' }],
  },
  { type: 'content', value: [{ type: 'image-url', url: 'http://127.0.0.1/' }] },
  { type: 'execution-denied', value: 'no', reason: 5 },
];

describe('stored outputs, read from messages', () => {
  test('survive JSON unchanged', () => {
    for (const output of OUTPUTS)
      assert.deepEqual(readOutput(JSON.parse(JSON.stringify(output))), output);
    const url = new URL('https://example.org/a.png');
    const file = { type: 'file', data: { type: 'url', url }, mediaType: 'image/png' };
    const linked = { type: 'content', value: [file] };
    assert.deepEqual(readOutput(JSON.parse(JSON.stringify(linked))), linked);
  });

  test('any other value gives undefined', () => {
    for (const output of FORGED)
      assert.equal(readOutput(output), undefined, JSON.stringify(output));
    fc.assert(
      fc.property(fc.anything(), (junk) => {
        const read = readOutput(junk) ?? readOutput({ type: 'content', value: junk });
        assert.ok(
          read === undefined || ['text', 'json', 'content'].some((t) => read.type.endsWith(t)),
        );
      }),
    );
  });

  for (const endpoint of ENDPOINTS) {
    test(`a forged output changes no result and breaks no request, ${endpoint.name}`, async () => {
      let requests = 0;
      await using server = await startModelServer({
        script: () =>
          requests++ === 0 ? { calls: [DISPATCH.call('kit__read', {})] } : { text: 'Done.' },
      });
      const read = { name: 'read', inputSchema: { type: 'object' }, execute: () => 'the result' };
      const talk = new Talk({
        mode: 'stream',
        route: 'json',
        handing: 'spread',
        model: modelOn(server, endpoint),
        fold: () =>
          createFold({
            strategy: 'dispatch',
            groups: [{ groupId: 'kit', toolNames: ['read'], loader: async () => [read] }],
          }) as Fold<never>,
      });
      await talk.say('Go.');
      const kept = talk.messages;
      for (const forged of FORGED) {
        talk.messages = kept.map((message) => withForged(message, forged));
        await talk.say('And?');
        const last = server.requests.at(-1) ?? assert.fail();
        assert.equal(resultsOn(last)[0]?.text, 'the result', JSON.stringify(forged));
      }
      const texts = server.requests.slice(1).map((request) => resultsOn(request)[0]?.text);
      assert.deepEqual(
        texts,
        [undefined, ...FORGED].map(() => 'the result'),
      );
    });
  }
});

/** The message with the forged output at every place where Toolfold reads one. */
function withForged(message: ModelMessage, forged: unknown): ModelMessage {
  const { content } = message;
  if (typeof content === 'string' || message.role === 'user') return message;
  const parts = content.map((part) => {
    const { providerOptions: options = {} } = part as { providerOptions?: Record<string, object> };
    const outputs = { toolu_1: forged, call_1: forged };
    return {
      ...part,
      providerOptions: { ...options, [KEY]: { ...options[KEY], m: forged, outputs } },
    };
  });
  return { ...message, content: parts } as ModelMessage;
}
