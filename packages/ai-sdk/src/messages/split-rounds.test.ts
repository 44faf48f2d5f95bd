import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LanguageModelV4Message } from '@ai-sdk/provider';
import fc from 'fast-check';
import { splitRounds } from './split-rounds.ts';

type Message = LanguageModelV4Message;
type Part = Record<string, unknown> & { readonly type: string };

const isBridge = (name: string) => name === 'load_tools';
const split = (messages: readonly Message[]) => splitRounds(messages, isBridge);

const ids = fc.constantFrom('a', 'b', 'c', '');
const number = fc.constantFrom<unknown>(0, 1, 2, 3, 7, -1, 0.5, 1e9, '1', null, undefined);
const stamp = fc.oneof(
  fc.constant(undefined),
  fc.record({ n: fc.constant('load_tools'), r: fc.constant('{}'), o: number, k: number, i: ids }),
  fc.record({ k: number, z: number }),
  fc.constantFrom<unknown>(null, 'text', [], { k: {} }),
);
const options = stamp.map((toolfold) =>
  toolfold === undefined ? {} : { providerOptions: { toolfold } },
);
const flag = fc.constantFrom({}, { providerExecuted: true }, { providerExecuted: false });
const name = fc.constantFrom('load_tools', 'github__create_issue', 'web_search');
const output = fc.constantFrom<unknown>(
  { type: 'text', value: '{"a":1}' },
  { type: 'text', value: 'plain' },
  { type: 'json', value: '[1]' },
  { type: 'json', value: { b: 2 } },
  { type: 'error-json', value: '{"error":"x"}' },
  { type: 'error-text', value: 'no' },
  { type: 'content', value: [] },
);
const part: fc.Arbitrary<Part> = fc.oneof(
  {
    weight: 4,
    arbitrary: joined({
      type: fc.constant('tool-call'),
      toolCallId: ids,
      toolName: name,
      input: fc.constant({}),
    }),
  },
  {
    weight: 4,
    arbitrary: joined({
      type: fc.constant('tool-result'),
      toolCallId: ids,
      toolName: name,
      output,
    }),
  },
  joined({ type: fc.constantFrom('text', 'reasoning'), text: fc.constantFrom('', 'words') }),
  joined({ type: fc.constant('custom'), kind: fc.constantFrom('toolfold.note', 'other.kind') }),
  joined({ type: fc.constant('tool-approval-request'), toolCallId: ids, approvalId: ids }),
);

function joined(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Part> {
  return fc
    .tuple(fc.record(fields), options, flag)
    .map(
      ([own, more, flags]) =>
        ({ ...own, ...more, ...(own.type === 'tool-call' ? flags : {}) }) as unknown as Part,
    );
}

const content = fc.array(part, { maxLength: 12 });
const message: fc.Arbitrary<Message> = fc.oneof(
  {
    weight: 3,
    arbitrary: content.map(
      (parts) => ({ role: 'assistant', content: parts }) as unknown as Message,
    ),
  },
  fc
    .array(part.filter(({ type }) => type === 'tool-result'))
    .map((parts) => ({ role: 'tool', content: parts }) as unknown as Message),
  fc.constantFrom<Message>(
    { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
    { role: 'system', content: 'Be brief.' },
  ),
);
const prompt = fc.array(message, { maxLength: 5 });

const partsOf = (messages: readonly Message[]) =>
  messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : [...content],
  ) as unknown as Part[];
const count = (parts: readonly Part[], type: string) =>
  parts.filter((one) => one.type === type).length;
const isInside = (one: Part) =>
  one.type === 'tool-call' &&
  one.providerExecuted === true &&
  split([{ role: 'assistant', content: [one] } as unknown as Message]).length > 1;

function check(property: (messages: Message[]) => void): void {
  fc.assert(fc.property(prompt, property), { numRuns: 3_000 });
}

describe('messages with rounds inside model calls, of any content', () => {
  test('promise 62: each of their calls is followed by its result', () => {
    check((messages) => {
      const after = split(messages);
      const inside = partsOf(messages).filter(isInside).length;
      let found = 0;
      after.forEach(({ role, content }, index) => {
        if (role !== 'assistant') return;
        const next = after[index + 1];
        const calls = (content as unknown as Part[]).filter(
          (one) => one.type === 'tool-call' && !('providerExecuted' in one),
        );
        const given = next?.role === 'tool' ? (next.content as unknown as Part[]) : [];
        const results = given
          .filter((one) => one.type === 'tool-result')
          .map((one) => one.toolCallId);
        found += calls.filter((one) => results.includes(one.toolCallId)).length;
      });
      assert.ok(found >= inside, `${found} of ${inside}`);
    });
  });

  test('every part is kept once, in its order', () => {
    check((messages) => {
      const [before, after] = [partsOf(messages), partsOf(split(messages))];
      for (const type of ['tool-call', 'text', 'reasoning', 'custom']) {
        assert.equal(count(after, type), count(before, type), type);
        const others = (parts: readonly Part[]) =>
          parts.filter((one) => one.type === type).map(({ providerExecuted: _, ...one }) => one);
        assert.deepEqual(others(after), others(before), type);
      }
    });
  });

  test('a second split changes nothing', () => {
    check((messages) => {
      const once = split(messages);
      assert.equal(split(once), once);
    });
  });

  test('messages without such calls are the same list, and messages stay unchanged', () => {
    check((messages) => {
      const text = JSON.stringify(messages);
      const after = split(messages);
      assert.equal(JSON.stringify(messages), text);
      if (!partsOf(messages).some(isInside)) assert.equal(after, messages);
    });
  });

  test('no message is empty, and none but assistant messages is split', () => {
    check((messages) => {
      const after = split(messages);
      const others = (all: readonly Message[]) =>
        all.filter(({ role }) => role === 'user' || role === 'system');
      assert.deepEqual(others(after), others(messages));
      if (after === messages) return;
      const isEmpty = ({ role, content }: Message) => role === 'assistant' && content.length === 0;
      assert.ok(!after.some((one) => isEmpty(one) && !messages.includes(one)));
    });
  });

  test('options of a message hold for its last part only, and each call has one result', () => {
    const mark = (k: number, z?: number) => ({
      providerOptions: { toolfold: { k, ...(z === undefined ? {} : { z }) } },
    });
    const load = (toolCallId: string, k: number) => ({
      ...{ type: 'tool-call', toolCallId, toolName: 'load_tools', input: {} },
      providerExecuted: true,
      providerOptions: { toolfold: { n: 'load_tools', r: '{}', o: 0, k } },
    });
    const result = (toolCallId: string, k: number, z?: number) => ({
      ...{ type: 'tool-result', toolCallId, toolName: 'load_tools' },
      output: { type: 'text', value: '{"loaded":true}' },
      ...mark(k, z),
    });
    const text = (value: string) => ({ type: 'text', text: value });
    const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };
    const denied = { ...result('a', 0), output: { type: 'execution-denied' } };
    const after = split([
      {
        role: 'assistant',
        providerOptions,
        content: [
          ...[text('one'), load('a', 0), text('after'), result('a', 0, 1)],
          ...[text('two'), load('b', 1), load('c', 1), result('b', 1, 0), result('c', 1, 0)],
          text('three'),
        ],
      },
      { role: 'tool', content: [denied, { type: 'tool-approval-response', approvalId: 'p' }] },
      { role: 'user', content: [text('So?')] },
    ] as unknown as Message[]);
    const shape = after.map(({ role, content, providerOptions: options }) => {
      const parts = content as unknown as Part[];
      const names = parts.map((one) => one.toolCallId ?? one.text);
      return [role, names.join(), options !== undefined];
    });
    assert.deepEqual(shape, [
      ['assistant', 'one,a,after', false],
      ['tool', 'a', false],
      ['assistant', 'two,b,c', false],
      ['tool', 'b,c', false],
      ['assistant', 'three', true],
      ['user', 'So?', false],
    ]);
  });
});
