import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallHost, SamplingRequest } from '@toolfold/core/internal/tool/call-host.ts';
import { askingEntry } from '../../test/requests/asking-server.test-support.ts';
import { jsonOf } from '../../test/requests/requests.test-support.ts';
import { createServerPool } from '../pool/pool.ts';
import { CallsInFlight, textsOf } from './calls-in-flight.ts';
import { DeclinedError, type SamplingContext, sample } from './sampling.ts';

const text = (value: string) => ({ type: 'text', text: value });
const message = { role: 'user', content: text('Hi') };
const params = { messages: [message], maxTokens: 100 };

/** A server in one call. Each answer of the model costs 40 tokens. */
function server(
  limits: SamplingContext['limits'],
  sampled: NonNullable<CallHost['sample']> = async () => ({ text: 'A', model: 'm', tokens: 40 }),
) {
  const seen: SamplingRequest[] = [];
  const warnings: string[] = [];
  const host: CallHost = {
    sample: (request) => {
      seen.push(request);
      return sampled(request);
    },
  };
  const context: SamplingContext = {
    server: 'odd',
    texts: textsOf(['hunter2-hunter2']),
    limits,
    answerTime: 10_000,
    call: new CallsInFlight(undefined).begin({ host }),
    refusal: undefined,
    signal: new AbortController().signal,
    warn: (one) => warnings.push(one),
  };
  return { ask: (given: unknown) => sample(given, context), seen, warnings };
}

test('what the host gets: bounded, harmless texts and nothing else', async () => {
  const { ask, seen } = server({});
  const given = {
    messages: [
      { role: 'user', content: [text('a\u001b[2J'), text('hunter2-hunter2')] },
      { role: 'assistant', content: text('b') },
    ],
    systemPrompt: 'Be short.',
    maxTokens: 9,
    temperature: 0.5,
    stopSequences: ['END'],
    includeContext: 'allServers',
    modelPreferences: { hints: [{ name: 'claude' }] },
    metadata: { key: 'value' },
  };
  await ask(given);
  const [{ signal: _, ...request } = assert.fail('nothing was asked')] = seen;
  assert.deepEqual(request, {
    server: 'odd',
    messages: [
      { role: 'user', text: 'a[2J\n[redacted]' },
      { role: 'assistant', text: 'b' },
    ],
    system: 'Be short.',
    maxTokens: 9,
    temperature: 0.5,
    stopSequences: ['END'],
  });
});

test('the answer is a text', async () => {
  const { ask } = server({}, async () => ({
    text: 'A',
    model: 'm',
    stopReason: 'maxTokens',
    tokens: 1,
  }));
  assert.deepEqual(await ask(params), {
    role: 'assistant',
    content: { type: 'text', text: 'A' },
    model: 'm',
    stopReason: 'maxTokens',
  });
});

test('calls and tokens are limited for each call of a tool', async () => {
  const calls = server({ maxCalls: 2 });
  await calls.ask(params);
  await calls.ask(params);
  await assert.rejects(calls.ask(params), /a call has 2 of them at most/);
  const tokens = server({ maxTokens: 90 });
  await tokens.ask(params);
  await tokens.ask(params);
  await tokens.ask(params);
  // 90 tokens, then 50, then 10 were left.
  assert.deepEqual(
    tokens.seen.map(({ maxTokens }) => maxTokens),
    [90, 50, 10],
  );
  await assert.rejects(tokens.ask(params), /the 90 tokens for one call are used up/);
});

test('anything else is declined with code -1 and a warning', async () => {
  const long = { role: 'user', content: text('x'.repeat(100_001)) };
  const cases: [unknown, RegExp][] = [
    [undefined, /no messages/],
    [{ messages: [] }, /no messages/],
    [{ messages: Array(101).fill(message) }, /more than 100 messages/],
    [{ messages: [long, long] }, /more than 100,000 characters/],
    [{ messages: [{ role: 'system', content: text('x') }] }, /no text/],
    [{ messages: [{ role: 'user', content: { type: 'image', data: '' } }] }, /no text/],
    [{ messages: [{ role: 'user', content: [] }] }, /no text/],
    [{ ...params, tools: [] }, /has tools/],
  ];
  for (const [given, expected] of cases) {
    const { ask, seen, warnings } = server({});
    await assert.rejects(ask(given), (error) => {
      assert.ok(error instanceof DeclinedError && error.code === -1);
      return expected.test(error.message);
    });
    assert.deepEqual([seen.length, warnings.length], [0, 1]);
  }
  await assert.rejects(server(false).ask(params), /this is not allowed/);
  const failing = server({}, () => Promise.reject(new Error('no key hunter2-hunter2')));
  await assert.rejects(failing.ask(params), /no key \[redacted\]/);
});

test('a pool announces sampling only to servers whose settings allow it', {
  timeout: 60_000,
}, async (context) => {
  const entry = await askingEntry(context, '2026-07-28', 'http');
  const servers = new Map([
    ['allowed', entry],
    ['other', entry],
  ]);
  const settings = { servers: { allowed: { sampling: { maxCalls: 1 } } } };
  await using pool = await createServerPool(
    { servers, settings },
    { manifests: false, requests: { sampling: true } },
  );
  for (const [name, expected] of [
    ['allowed', { sampling: {} }],
    ['other', {}],
  ] as const) {
    const announced = await pool.connection(name)?.callTool('capabilities', {});
    assert.deepEqual(jsonOf(announced), expected);
  }
});
