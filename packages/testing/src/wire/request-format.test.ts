import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { auditPrefix, blocksOf, countBody, formatAuditReport } from '../index.ts';
import { requestFormats, type UnreadRequest } from './request-format.ts';

const user = (content: unknown = 'Hello') => ({ role: 'user', content });
const plain = { model: 'm', messages: [user()] };
const anthropic = { ...plain, tools: [{ name: 'a', input_schema: { type: 'object' } }] };
const chat = { ...plain, tools: [{ type: 'function', function: { name: 'a' } }] };
const responses = { model: 'm', input: [user()] };

const found = (...requests: UnreadRequest[]): string[] =>
  requestFormats(requests).map((format) =>
    'unreadable' in format ? format.unreadable : format.provider,
  );

describe('the format of a recorded request', () => {
  const cases: [string, UnreadRequest, string][] = [
    ['the name of a format', { provider: 'openai-chat', body: plain }, 'openai-chat'],
    ['openai, messages', { provider: 'openai', body: plain }, 'openai-chat'],
    ['openai, input', { provider: 'openai', body: responses }, 'openai-responses'],
    [
      'openai, a text as input',
      { provider: 'openai', body: { input: 'Hello' } },
      'openai-responses',
    ],
    ['openai.chat', { provider: 'openai.chat', body: plain }, 'openai-chat'],
    ['openai.responses', { provider: 'openai.responses', body: responses }, 'openai-responses'],
    ['azure', { provider: 'azure-openai.responses', body: responses }, 'openai-responses'],
    ['azure, messages', { provider: 'azure', body: plain }, 'openai-chat'],
    ['a compatible provider', { provider: 'openai-compatible', body: plain }, 'openai-chat'],
    ['any name', { provider: 'groq.chat', body: plain }, 'openai-chat'],
    ['any name, a clear body', { provider: 'my-gateway', body: anthropic }, 'anthropic'],
    ['anthropic', { provider: 'anthropic', body: plain }, 'anthropic'],
    ['anthropic.messages', { provider: 'anthropic.messages', body: plain }, 'anthropic'],
    ['vertex', { provider: 'vertex.anthropic.messages', body: plain }, 'anthropic'],
    [
      'the address',
      { url: 'https://api.example.com/v1/messages?beta=true', body: plain },
      'anthropic',
    ],
    [
      'the address before a name',
      { provider: 'anthropic.x', url: '/v1/chat/completions', body: plain },
      'openai-chat',
    ],
    [
      'a name that the body contradicts',
      { provider: 'anthropic', body: responses },
      'openai-responses',
    ],
    [
      'an address that the body contradicts',
      { url: '/messages', body: responses },
      'openai-responses',
    ],
    ['an unknown address', { url: 'https://api.example.com/generate', body: chat }, 'openai-chat'],
    ['the body alone: tools', { body: anthropic }, 'anthropic'],
    ['the body alone: tools of OpenAI', { body: chat }, 'openai-chat'],
    ['the body alone: system', { body: { ...plain, system: 'Be brief.' } }, 'anthropic'],
    ['the body alone: a tool call', { body: { messages: [{ tool_calls: [] }] } }, 'openai-chat'],
    [
      'the body alone: a result',
      { body: { messages: [user([{ type: 'tool_result' }])] } },
      'anthropic',
    ],
    ['the model', { body: { ...plain, model: 'claude-opus-5-5' } }, 'anthropic'],
    ['nothing but messages', { body: plain }, 'openai-chat'],
    ['an odd name', { provider: 5, body: chat }, 'openai-chat'],
    ['an empty name', { provider: ' ', body: anthropic }, 'anthropic'],
    ['an odd address', { url: {}, body: chat }, 'openai-chat'],
    ['an empty body of a known format', { provider: 'anthropic', body: {} }, 'anthropic'],
  ];
  for (const [name, request, expected] of cases) {
    it(`${name}: ${expected}`, () => assert.deepEqual(found(request), [expected]));
  }

  const unreadable: [string, UnreadRequest, RegExp][] = [
    ['no body', { provider: 'openai' }, /no "body"/],
    ['a text as body', { body: 'x' }, /no "body"/],
    ['a body of something else', { provider: 'openai', body: {} }, /no "messages" and no "input"/],
    ['Gemini', { provider: 'google', body: { contents: [] } }, /no "messages" and no "input"/],
    ['Converse', { body: { ...plain, toolConfig: {} } }, /no "messages" and no "input"/],
    [
      'embeddings',
      { provider: 'openai', url: '/v1/embeddings', body: { input: 'x' } },
      /"url".*embed/,
    ],
    ['counts', { url: '/v1/messages/count_tokens?key=k', body: plain }, /"url".*count_tokens$/],
  ];
  for (const [name, request, expected] of unreadable) {
    it(`${name}: not read, with the reason`, () => assert.match(found(request)[0] ?? '', expected));
  }

  it('a body that may have two formats has that of its conversation', () => {
    assert.deepEqual(found({ body: plain }, { body: anthropic }), ['anthropic', 'anthropic']);
    assert.deepEqual(found({ body: chat }, { body: plain }), ['openai-chat', 'openai-chat']);
    assert.deepEqual(found({ provider: 'anthropic', body: plain }, { body: plain }), [
      'anthropic',
      'anthropic',
    ]);
    const named = { provider: 'gateway', body: plain };
    assert.deepEqual(found(named, { provider: 'gateway', body: anthropic }), [
      'anthropic',
      'anthropic',
    ]);
    assert.deepEqual(found({ provider: 'openai', body: plain }, { body: anthropic }), [
      'openai-chat',
      'anthropic',
    ]);
  });
});

describe('the prefix auditor and requests without a clear provider', () => {
  const first = { body: plain };
  const next = { body: { ...plain, messages: [user(), user('More')] } };
  const named = (provider: string, { body }: typeof first) => ({ provider, body });

  it('a missing or another name of the same provider breaks nothing', () => {
    for (const requests of [
      [named('anthropic', first), next],
      [first, named('anthropic', next)],
      [named('openai', first), named('openai.chat', next)],
      [named('openai', first), next, named('openai-chat', next)],
    ]) {
      const report = auditPrefix(requests);
      assert.equal(report.held, true);
      assert.equal(report.totals.lostTokens, 0, formatAuditReport(report));
      assert.deepEqual(report.requests[1]?.settings, []);
    }
  });

  it('requests with input are compared without a provider', () => {
    const input = (...texts: string[]) => ({ body: { model: 'm', input: texts.map(user) } });
    assert.equal(auditPrefix([input('a'), input('a', 'b')]).held, true);
    assert.equal(
      auditPrefix([input('a'), input('b')]).requests[1]?.first?.block,
      'input[0].content',
    );
  });

  it('what cannot be read is named, and is no break', () => {
    const report = auditPrefix([first, { url: '/v1/embeddings', body: { input: 'x' } }, next]);
    assert.equal(report.held, true);
    assert.equal(report.totals.lostTokens, 0);
    assert.match(report.requests[1]?.unreadable ?? '', /"url"/);
    const text = formatAuditReport(report);
    assert.match(text, /^request 2: not compared: its "url" is not .*embeddings$/m);
    assert.match(text, /^The prefix held over 2 requests:/m);
    assert.throws(() => auditPrefix([{ body: {} }, { body: {} }]), {
      code: 'invalid-option',
      message: /None of the requests can be read\. Request 1: its "body" has no "messages"/,
    });
    assert.deepEqual(blocksOf({ body: {} }), []);
    assert.equal(countBody({ body: {} }, () => 1).total, 0);
  });

  it('odd fields never throw', () => {
    const odd = fc.jsonValue({ maxDepth: 3 });
    const list = fc.oneof(odd, fc.array(fc.record({ role: odd, content: odd, tool_calls: odd })));
    const body = fc.record(
      { model: odd, system: odd, tools: odd, messages: list, input: list },
      { requiredKeys: [] },
    );
    const request = fc.record(
      { provider: odd, url: odd, body: fc.oneof({ weight: 5, arbitrary: body }, odd) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(request, { maxLength: 4 }), (requests) => {
        const formats = requestFormats(requests);
        assert.equal(formats.length, requests.length);
        const isRead = formats.some((format) => 'provider' in format);
        if (!isRead) return;
        const report = auditPrefix(requests as never);
        assert.equal(report.requests.length, requests.length);
        for (const [index, format] of formats.entries()) {
          const { unreadable, held } = report.requests[index] ?? {};
          assert.equal(unreadable !== undefined, 'unreadable' in format);
          if (unreadable !== undefined) assert.equal(held, true);
        }
      }),
    );
  });
});
