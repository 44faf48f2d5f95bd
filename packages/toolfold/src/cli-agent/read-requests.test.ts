import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import fc from 'fast-check';
import { readRequests } from './audit.ts';

const body = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };

test('every line is a request, is named as unreadable, or is blank', () => {
  const line = fc.oneof(
    fc.json({ maxDepth: 3 }),
    fc.string().map((text) => text.replaceAll('\n', ' ')),
    fc.constant(JSON.stringify({ body })),
    fc
      .record({ provider: fc.jsonValue(), url: fc.jsonValue() })
      .map((odd) => JSON.stringify({ ...odd, body: JSON.stringify(body) })),
    fc.constant('  \r'),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const filled = lines.flatMap((text, index) => (text.trim() === '' ? [] : [index + 1]));
      let read: ReturnType<typeof readRequests>;
      try {
        read = readRequests('a.jsonl', lines.join('\n'));
      } catch (error) {
        assert.ok(error instanceof ToolfoldError && error.code === 'invalid-option', String(error));
        return;
      }
      const numbers = [...read.requests, ...read.unreadable].map((one) => one.line);
      assert.deepEqual(
        numbers.sort((a, b) => a - b),
        filled,
      );
      for (const { provider } of read.requests) assert.match(provider, /^(anthropic|openai-)/);
      for (const { reason } of read.unreadable) assert.match(reason, /^it/);
    }),
  );
});

test('a line without a provider and a url is read, also with a byte order mark and a body as text', () => {
  for (const line of [
    JSON.stringify({ body }),
    `\uFEFF${JSON.stringify({ body })}\r`,
    JSON.stringify({ body: JSON.stringify(body), method: 'POST', headers: {} }),
    JSON.stringify({ provider: null, url: null, body }),
  ])
    assert.deepEqual(readRequests('a.jsonl', line), {
      requests: [{ line: 1, provider: 'openai-chat', body }],
      unreadable: [],
    });
});
