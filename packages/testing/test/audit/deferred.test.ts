import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditPrefix } from '../../src/audit/audit-prefix.ts';
import { type AuditableRequest, blocksOf } from '../../src/audit/blocks.ts';

const ask = { role: 'user', content: 'Go.' };
const tool = (name: string, description = 'Does it.') => ({
  name,
  description,
  input_schema: { type: 'object' },
});
const deferred = (name: string, description?: string) => ({
  ...tool(name, description),
  defer_loading: true,
});
const reference = { type: 'tool_reference', name: 'later' };
const added = { role: 'system', content: [{ type: 'tool_addition', tool: reference }] };
const removed = { role: 'system', content: [{ type: 'tool_removal', tool: reference }] };
const found = {
  role: 'user',
  content: [
    {
      type: 'tool_result',
      tool_use_id: 'a',
      content: [{ type: 'tool_reference', tool_name: 'later' }],
    },
  ],
};
const searched = {
  role: 'assistant',
  content: [
    {
      type: 'tool_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { tool_references: [{ type: 'tool_reference', tool_name: 'later' }] },
    },
  ],
};

const request = (tools: unknown[], ...messages: unknown[]): AuditableRequest => ({
  provider: 'anthropic',
  body: { model: 'm', tools, messages: [ask, ...messages] },
});

describe('the prefix auditor and deferred tools', () => {
  it('leaves them out of the tools, whose paths stay', () => {
    const blocks = blocksOf(request([tool('a'), deferred('later'), tool('b')]));
    assert.deepEqual(
      blocks.map(({ path }) => path),
      ['tools[0]', 'tools[2]', 'messages[0].content'],
    );
  });

  it('holds if one is appended, or if one without a reference changes', () => {
    const report = auditPrefix([
      request([tool('a'), deferred('later')], found),
      request([tool('a'), deferred('later'), deferred('other')], found),
      request([tool('a'), deferred('later'), deferred('other', 'Another.')], found, added),
    ]);
    assert.equal(report.held, true);
    assert.equal(report.totals.lostTokens, 0);
  });

  for (const [where, message] of [
    ['a result', found],
    ['an addition', added],
    ['a result of the API', searched],
  ] as const) {
    it(`breaks at ${where} that refers to one that has changed`, () => {
      const { requests } = auditPrefix([
        request([tool('a'), deferred('later')], message),
        request([tool('a'), deferred('later', 'Does more.')], message),
      ]);
      assert.equal(requests[1]?.first?.block, 'messages[1].content[0]');
      assert.equal(requests[1]?.first?.how, 'changed');
      assert.match(requests[1]?.first?.after ?? '', /Does more/);
    });
  }

  it('holds when one changes that is only removed', () => {
    const requests = ['Does it.', 'Does more.'].map((text) =>
      request([tool('a'), deferred('later', text)], removed),
    );
    assert.equal(auditPrefix(requests).held, true);
  });

  it('breaks in the tools if the provider shows names of deferred ones', () => {
    const responses = (...tools: unknown[]): AuditableRequest => ({
      provider: 'openai-responses',
      body: { model: 'm', tools, input: [ask] },
    });
    const first = { type: 'function', name: 'a', defer_loading: true };
    const { requests } = auditPrefix([responses(first), responses(first, { ...first, name: 'b' })]);
    assert.equal(requests[1]?.first?.block, 'tools[1]');
  });

  it('breaks if tools in a message change, and counts them', () => {
    const chat = (...names: string[]): AuditableRequest => ({
      provider: 'openai-chat',
      body: {
        model: 'kimi-k3',
        messages: [ask, { role: 'system', content: '', tools: names.map((name) => ({ name })) }],
      },
    });
    const report = auditPrefix([chat('a'), chat('a', 'b')], { countTokens: (text) => text.length });
    assert.equal(report.requests[1]?.first?.block, 'messages[1].tools');
    assert.equal(report.totals.lostTokens, '[{"name":"a"}]'.length);
  });
});
