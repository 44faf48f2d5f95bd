import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import fc from 'fast-check';
import type { WireProvider } from '../wire/recorded-request.ts';
import { auditPrefix, formatAuditReport } from './audit-prefix.ts';
import { type AuditableRequest, blocksOf } from './blocks.ts';

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const textPart = fc.record({ type: fc.constant('text'), text: word });
const toolDefinition = fc.record({
  description: word,
  input_schema: fc.record({ type: fc.constant('object'), properties: fc.dictionary(word, word) }),
});
const anthropicMessage = fc.record({
  role: fc.constantFrom('user', 'assistant'),
  content: fc.array(textPart, { minLength: 1, maxLength: 3 }),
});
const chatMessage = fc.oneof(
  fc.record({ role: fc.constantFrom('user', 'assistant', 'system'), content: word }),
  fc.record({ role: fc.constant('tool'), tool_call_id: word, content: word }),
  fc.record({
    role: fc.constant('assistant'),
    content: fc.constant(null),
    tool_calls: fc.array(fc.record({ id: word, type: fc.constant('function') }), { minLength: 1 }),
  }),
);
const responsesItem = fc.oneof(
  fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.array(textPart) }),
  fc.record({ type: fc.constant('function_call'), call_id: word, arguments: word }),
  fc.record({ type: fc.constant('function_call_output'), call_id: word, output: word }),
);

const tools = fc
  .array(toolDefinition, { maxLength: 4 })
  .map((list) => list.map((tool, index) => ({ name: `tool_${index}`, ...tool })));

interface Conversation {
  readonly first: AuditableRequest;
  readonly next: AuditableRequest;
}

// A request and one that strictly extends it, in each of the three formats.
const conversation: fc.Arbitrary<Conversation> = fc.oneof(
  extension('anthropic', 'messages', 'system', fc.array(textPart), anthropicMessage),
  extension('openai-chat', 'messages', 'user', fc.constant(undefined), chatMessage),
  extension('openai-responses', 'input', 'instructions', word, responsesItem),
);

function extension(
  provider: WireProvider,
  list: string,
  systemKey: string,
  system: fc.Arbitrary<unknown>,
  message: fc.Arbitrary<unknown>,
): fc.Arbitrary<Conversation> {
  return fc
    .record({
      tools,
      system,
      messages: fc.array(message, { minLength: 1, maxLength: 4 }),
      more: fc.array(message, { maxLength: 3 }),
    })
    .map((parts) => {
      const body = { model: 'm', [systemKey]: parts.system, tools: parts.tools };
      const first = { provider, body: { ...body, [list]: parts.messages } };
      const next = { provider, body: { ...body, [list]: [...parts.messages, ...parts.more] } };
      return { first, next };
    });
}

const total = (request: AuditableRequest): number => auditPrefix([request]).totals.newTokens;

describe('the prefix auditor', () => {
  it('holds every strict extension, and its tokens add up', () => {
    fc.assert(
      fc.property(conversation, ({ first, next }) => {
        const report = auditPrefix([first, next, next]);
        assert.equal(report.held, true, formatAuditReport(report));
        const [, second, third] = report.requests;
        assert.equal(second?.keptTokens, total(first));
        assert.equal(second?.newTokens, total(next) - total(first));
        assert.equal(third?.newTokens, 0);
        assert.equal(report.totals.lostTokens, 0);
      }),
    );
  });

  it('holds every strict extension, whatever names of providers are missing or others', () => {
    const name = fc.option(fc.constantFrom('openai', 'anthropic.messages', 'groq', 'azure.chat'), {
      nil: undefined,
    });
    fc.assert(
      fc.property(conversation, fc.array(name, { minLength: 3, maxLength: 3 }), (given, names) => {
        const bodies = [given.first, given.next, given.next].map(({ body }) => body);
        const report = auditPrefix(bodies.map((body, at) => ({ provider: names[at], body })));
        assert.equal(report.held, true, formatAuditReport(report));
      }),
    );
  });

  it('reports any single mutation of an earlier block at that block', () => {
    fc.assert(
      fc.property(conversation, fc.nat(), fc.nat(), ({ first, next }, where, which) => {
        const blocks = blocksOf(first);
        const at = where % blocks.length;
        const body = structuredClone(next.body) as Record<string, unknown>;
        const target = blocks[at];
        assert.ok(target);
        mutate(body, target.path.replace('system[0]', systemPath(next)), which);
        const request = auditPrefix([first, { ...next, body }]).requests[1];
        assert.equal(request?.held, false);
        assert.equal(request?.first?.block, target.path);
        // If an equal block follows later, this change also looks like an insertion.
        const later = blocksOf(next).slice(at + 1);
        const twin = later.some(
          ({ text, frame }) => text === target.text && frame === target.frame,
        );
        if (!twin) assert.equal(request?.first?.how, 'changed');
        assert.notEqual(request?.first?.before, request?.first?.after);
        const kept = blocks.slice(0, at).reduce((sum, { text }) => sum + estimateTokens(text), 0);
        assert.equal(request?.keptTokens, kept);
        assert.equal(request?.lostTokens, total(first) - kept);
      }),
    );
  });

  it('ignores cache markers wherever they move', () => {
    fc.assert(
      fc.property(conversation, fc.infiniteStream(fc.boolean()), ({ first, next }, coin) => {
        const requests = [first, next].map(({ provider, body }) => ({
          provider,
          body: sprinkle(structuredClone(body), () => coin.next().value === true),
        }));
        assert.equal(auditPrefix(requests).held, true);
      }),
    );
  });

  it('reports how a missing block was changed or moved', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, input_schema: {} }));
    const cases = [
      [[a, b], [a, c, b], 'tools[1]', 'inserted'],
      [[a, b], [a, b, c], 'tools[2]', 'inserted'],
      [[a, b, c], [a, c], 'tools[1]', 'removed'],
      [[a, b], [a], 'tools[1]', 'removed'],
      [[a, b, c], [b, a, c], 'tools[0]', 'reordered'],
      [[a, b], [a, c], 'tools[1]', 'changed'],
      [[], [a], 'tools[0]', 'inserted'],
      [[a], undefined, 'tools[0]', 'removed'],
    ] as const;
    for (const [before, after, block, how] of cases) {
      const requests = [before, after].map((list) => anthropic({ tools: list, messages: [] }));
      const { first } = auditPrefix(requests).requests[1] ?? {};
      assert.deepEqual([first?.block, first?.how], [block, how]);
    }
  });

  it('reports a changed key order and a lost message', () => {
    const order = auditPrefix([
      anthropic({ tools: [{ name: 'a', input_schema: {} }] }),
      anthropic({ tools: [{ input_schema: {}, name: 'a' }] }),
    ]);
    assert.equal(order.requests[1]?.first?.block, 'tools[0]');
    const lost = auditPrefix([
      anthropic({ messages: [user('one'), user('two')] }),
      anthropic({ messages: [user('one')] }),
    ]);
    assert.equal(lost.requests[1]?.first?.block, 'messages[1].content[0]');
    assert.equal(lost.requests[1]?.first?.how, 'removed');
  });

  it('reports a changed role with the same content', () => {
    const report = auditPrefix([
      anthropic({ messages: [user('one')] }),
      anthropic({ messages: [{ ...user('one'), role: 'assistant' }] }),
    ]);
    assert.equal(report.requests[1]?.first?.how, 'changed');
    assert.match(report.requests[1]?.first?.before ?? '', /user/);
    assert.match(report.requests[1]?.first?.after ?? '', /assistant/);
  });

  it('treats a user message that grows by merged blocks as an extension', () => {
    const report = auditPrefix([
      anthropic({ messages: [user('one')] }),
      anthropic({ messages: [user('one', 'two'), user('three')] }),
    ]);
    assert.equal(report.held, true);
  });

  it('does not treat a parameter named cache_control as a marker', () => {
    const tool = (type: string) => ({ name: 'a', properties: { cache_control: { type } } });
    const report = auditPrefix([
      anthropic({ tools: [tool('string')] }),
      anthropic({ tools: [tool('number')] }),
    ]);
    assert.equal(report.held, false);
  });

  it('reports settings separately; another model keeps nothing', () => {
    const messages = [user('one')];
    const report = auditPrefix([
      anthropic({ model: 'a', messages }),
      anthropic({ model: 'a', messages, tool_choice: { type: 'any' } }),
      anthropic({ model: 'b', messages, tool_choice: { type: 'any' } }),
      { provider: 'openai-chat', body: { model: 'b', messages, tool_choice: { type: 'any' } } },
    ]);
    assert.equal(report.held, true);
    assert.deepEqual(
      report.requests.map(({ settings }) => settings.map(({ setting }) => setting)),
      [[], ['tool_choice'], ['model'], ['provider']],
    );
    assert.deepEqual(
      report.requests.map(({ keptTokens }) => keptTokens > 0),
      [false, true, false, false],
    );
  });

  it('formats a report as text', () => {
    const asks = { cache_control: { type: 'ephemeral' } };
    const report = auditPrefix(
      [
        anthropic({ model: 'a', system: 'It is 10:01.', messages: [user('one')], ...asks }),
        anthropic({ model: 'b', system: 'It is 10:02.', messages: [user('one')], ...asks }),
      ],
      { countTokens: () => 10 },
    );
    assert.equal(
      formatAuditReport(report),
      [
        'request 1: first; 0 tokens kept, 20 new, 0 lost',
        'request 2: BROKEN at system[0] (changed); 0 tokens kept, 20 new, 20 lost',
        '    before: "It is 10:01."',
        '    after:  "It is 10:02."',
        '    model: "a" -> "b"',
        'The prefix broke once over 2 requests: 0 tokens kept, 40 new, 20 lost.',
        '',
      ].join('\n'),
    );
  });

  it('accepts an empty conversation', () => {
    assert.equal(auditPrefix([]).held, true);
    assert.equal(auditPrefix([anthropic({})]).held, true);
  });
});

function anthropic(body: Record<string, unknown>): AuditableRequest {
  return { provider: 'anthropic', body };
}

function user(...texts: string[]) {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) };
}

function systemPath({ body }: AuditableRequest): string {
  if (typeof body.instructions === 'string') return 'instructions';
  return 'system[0]';
}

// Changes one leaf of the value at a path such as `messages[2].content[0]`.
function mutate(body: Record<string, unknown>, path: string, which: number): void {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  const last = keys.pop() ?? '';
  let parent: unknown = body;
  for (const key of keys) parent = Reflect.get(Object(parent), key);
  Reflect.set(Object(parent), last, changed(Reflect.get(Object(parent), last), which));
}

function changed(value: unknown, which: number): unknown {
  if (typeof value === 'string') return `${value}!`;
  if (typeof value !== 'object' || value === null) return 'something';
  const keys = Object.keys(value);
  const key = keys[which % Math.max(1, keys.length)];
  if (key === undefined) return Array.isArray(value) ? ['new'] : { new: true };
  return { ...value, [key]: changed(Reflect.get(value, key), which) };
}

function sprinkle<T>(value: T, toss: () => boolean): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) sprinkle(member, toss);
  if (!Array.isArray(value) && !('model' in value) && toss()) {
    Reflect.set(value, 'cache_control', { type: 'ephemeral', ttl: '1h' });
  }
  return value;
}
