import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import fc from 'fast-check';
import { LastSent } from './last-sent.ts';
import { type Segments, segmentsOf } from './request-tokens.ts';
import { Labels, PRELOADED } from './segments.ts';

type Params = Pick<LanguageModelV4CallOptions, 'tools' | 'prompt'>;

const user = (text: string, providerOptions?: object): Params['prompt'][number] => ({
  role: 'user',
  content: [{ type: 'text', text }],
  ...(providerOptions ? { providerOptions: providerOptions as never } : {}),
});
const tool = { type: 'function', name: 'one', inputSchema: { type: 'object' } } as const;
const system = { role: 'system', content: 'Be kind.' } as const;
const prompt = [system, user('Hello'), user('there')];

const counted = (messages: number) => ({
  tools: [{ label: 'inline-tools' as const, tokens: 7 }],
  messages: Array.from({ length: messages }, (_, index) => [index + 1]),
  catalog: 0,
});

describe('the segments of a request', () => {
  test('are the tools, the system text and each message', () => {
    const { list, texts } = segmentsOf({ tools: [tool], prompt }, counted(3));
    assert.deepEqual(
      list.map(({ kind, tokens }) => [kind, tokens]),
      [
        ['tools', 7],
        ['system', 1],
        ['message', 2],
        ['message', 3],
      ],
    );
    for (const { hash } of list) {
      const text = texts().get(hash) ?? assert.fail();
      assert.equal(createHash('sha256').update(text).digest('hex'), hash);
    }
    const first = list[0]?.hash ?? assert.fail();
    assert.deepEqual(JSON.parse(texts().get(first) ?? ''), [tool]);
  });

  test('leave out what is not there', () => {
    const kinds = (params: Params) => segmentsOf(params, counted(3)).list.map(({ kind }) => kind);
    assert.deepEqual(kinds({ prompt: [user('Hello')] }), ['message']);
    assert.deepEqual(kinds({ tools: [], prompt: [system] }), ['system']);
    // A system message in mid-conversation stays in its place.
    assert.deepEqual(kinds({ prompt: [system, user('Hello'), system] }), [
      'system',
      'message',
      'message',
    ]);
  });

  test('do not depend on where the markers of a cache are', () => {
    const hashOf = (options?: object) =>
      segmentsOf({ prompt: [user('Hello', options)] }, counted(1)).list[0]?.hash;
    const marker = { cacheControl: { type: 'ephemeral' } };
    assert.equal(hashOf({ anthropic: marker }), hashOf());
    assert.equal(hashOf({ anthropic: { ...marker, a: 1 } }), hashOf({ anthropic: { a: 1 } }));
    assert.notEqual(hashOf({ anthropic: { a: 1 } }), hashOf());
  });

  test('hold files as short text', () => {
    const file = (byte: number) => ({
      role: 'user' as const,
      content: [
        {
          type: 'file' as const,
          mediaType: 'image/png',
          data: { type: 'data' as const, data: new Uint8Array(1_000).fill(byte) },
        },
      ],
    });
    const of = (byte: number) => segmentsOf({ prompt: [file(byte)] }, counted(1));
    assert.notEqual(of(65).list[0]?.hash, of(66).list[0]?.hash);
    assert.ok(String([...of(65).texts().values()]).length < 1_200);
  });

  test('are those of the request alone, whatever was sent before', () => {
    const text = `${PRELOADED} one`;
    const said = fc.record({ text: fc.constantFrom('a', 'b', text), isInsert: fc.boolean() });
    const step = fc.record({
      cut: fc.nat(3),
      added: fc.array(said, { maxLength: 3 }),
      // Tokens of appended tools are not the same in each request.
      more: fc.nat(1),
      hasTools: fc.boolean(),
      systems: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const last = new LastSent();
        const labels = new Labels();
        let messages: Params['prompt'] = [];
        const returned: (readonly [Segments, Segments])[] = [];
        for (const { cut, added, more, hasTools, systems } of steps) {
          const kept = messages.slice(0, Math.max(0, messages.length - cut));
          const next = added.map(({ text: words, isInsert }) => {
            const message = user(words);
            // The same words may have another label.
            if (isInsert) labels.insert(message, words);
            return message;
          });
          messages = [...kept, ...next];
          const prompt = [...Array.from({ length: systems }, () => ({ ...system })), ...messages];
          const tools = hasTools ? [tool] : [];
          const { messages: counts, ...rest } = counted(prompt.length);
          const tokens = { ...rest, messages: counts.map((one, at) => (at === 2 ? [more] : one)) };
          const segments = segmentsOf({ tools, prompt }, tokens, labels, last);
          const alone = segmentsOf({ tools, prompt }, tokens, labels, new LastSent());
          returned.push([segments, alone]);
          const { list, added: ours } = segments;
          assert.deepEqual(list, alone.list);
          const schemas = list.filter(({ label }) => label === 'loaded-schemas');
          assert.equal(
            ours,
            schemas.reduce((all, one) => all + one.tokens, 0),
          );
        }
        // Later requests change nothing in what was said of earlier ones.
        for (const [{ list, texts }, alone] of returned) {
          assert.deepEqual(list, alone.list);
          assert.deepEqual(texts(), alone.texts());
        }
      }),
    );
  });

  test('have the tokens of the request alone, whatever was counted before', () => {
    const step = fc.record({
      cut: fc.nat(3),
      added: fc.array(fc.constantFrom('a', 'b b', 'c c c'), { maxLength: 3 }),
      provider: fc.constantFrom('openai.chat', 'anthropic.messages'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const last = new LastSent();
        const one = { isStored: true, reasons: false, search: undefined };
        let messages: Params['prompt'] = [system];
        for (const { cut, added, provider } of steps) {
          const kept = messages.slice(0, Math.max(1, messages.length - cut));
          const next = added.map((words) => {
            const output = { type: 'error-text' as const, value: words };
            const part = { type: 'tool-result' as const, toolCallId: '1', toolName: 'one', output };
            return { role: 'tool' as const, content: [part] };
          });
          messages = structuredClone([...kept, ...next]);
          const count = (by: LastSent) =>
            by.count(by.messages.of(messages), { ...one, provider }, (text) => text.length);
          assert.deepEqual(count(last), count(new LastSent()));
        }
      }),
    );
  });
});
