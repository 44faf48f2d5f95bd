import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@toolfold/core/internal/values/json.ts';
import type { ModelMessage } from 'ai';
import { createRecall, RecordedResults, recall } from '../../src/compaction/recall.ts';
import { plainValue } from '../../src/entries/plain.ts';
import type { Entry } from '../../src/sessions/store.ts';

const entry = (kind: string, body: object, seq = 1): Entry => ({
  id: `${seq}`,
  parent: null,
  seq,
  kind,
  body: plainValue(body) as JsonObject,
  at: 0,
});
const result = (id: string, output: unknown, more: object = {}) =>
  entry('result', { id, name: 'files__read', output, ...more });
const of = (...entries: readonly Entry[]) => new RecordedResults(entries);

/** The error that a call answers. */
async function refusal(results: RecordedResults, input: unknown): Promise<Record<string, unknown>> {
  try {
    await recall(results, input);
  } catch (error) {
    return JSON.parse((error as Error).message);
  }
  return assert.fail('nothing was thrown');
}

describe('recall_result', () => {
  test('reads a result in parts, and says how much is left', async () => {
    const text = Array.from({ length: 10_000 }, (_, n) => n % 10).join('');
    const results = of(result('a', 'other'), result('b', text), result('c', 'other'));
    const first = await recall(results, { id: 'b' });
    const name = 'files__read';
    assert.deepEqual(
      { ...first, text: first.text.length },
      { id: 'b', name, offset: 0, text: 4_000, length: 10_000, left: 6_000 },
    );
    const rest = await recall(results, { id: 'b', offset: 4_000, limit: 20_000 });
    assert.equal(first.text + rest.text, text);
    assert.equal(rest.left, 0);
    const beyond = await recall(results, { id: 'b', offset: 20_000 });
    assert.deepEqual([beyond.text, beyond.left, beyond.length], ['', 0, 10_000]);
  });

  test('shows a result as the model has read it', async () => {
    const mcp = { content: [{ type: 'text', text: 'One.' }] };
    const call = (f: object) => ({
      type: 'tool-call',
      toolCallId: 'm',
      toolName: 'web__get',
      input: {},
      providerOptions: { toolfold: { n: 'web__get', r: '{}', o: 0, ...f } },
    });
    const textOf = async (...entries: readonly Entry[]) =>
      (await recall(of(...entries), { id: 'm' })).text;
    const answer = (f: object) => entry('model', { content: [call(f)] });
    assert.equal(await textOf(answer({ f: 'mcp' }), result('m', mcp)), 'One.');
    assert.equal(await textOf(answer({}), result('m', mcp)), JSON.stringify(mcp));
    assert.equal(
      await textOf(result('m', { at: new Date(0) })),
      '{"at":"1970-01-01T00:00:00.000Z"}',
    );
    const failed = { error: 'It broke.', thrown: 'Error: It broke.' };
    assert.equal(await textOf(result('m', undefined, failed)), 'Error: It broke.');
  });

  test('takes the latest result of an id', async () => {
    const results = of(result('a', 'one'), result('a', 'two'));
    assert.equal((await recall(results, { id: 'a' })).text, 'two');
  });

  test('reads results in messages that the agent was given', async () => {
    const output = { type: 'text', value: 'Given.' } as const;
    const add: ModelMessage[] = [
      { role: 'user', content: 'Go.' },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'g', toolName: 'files__read', output }],
      },
    ];
    const answer = await recall(of(entry('messages', { keep: 0, add })), { id: 'g' });
    assert.deepEqual([answer.name, answer.text], ['files__read', 'Given.']);
  });

  test('a number behind an id says which of its results is meant', async () => {
    const given = (id: string, value: string) => ({
      role: 'tool' as const,
      content: [
        {
          ...{ type: 'tool-result' as const, toolCallId: id, toolName: 'files__read' },
          output: { type: 'text' as const, value },
        },
      ],
    });
    const digest = { digest: 'one', length: 3, recall: 'recall_result', id: 'a#1' };
    const kept = { ...given('a', ''), content: [] as object[] };
    kept.content = [{ ...given('a', '').content[0], output: { type: 'json', value: digest } }];
    const results = of(
      result('a', 'one'),
      // An earlier conversation, with two results in one entry.
      entry('messages', {
        keep: 0,
        add: [given('a', 'two'), given('b', 'b'), given('a', 'three')],
      }),
      entry('messages', { keep: 0, add: [kept] }),
      result('a', 'two'),
      result('c#1', 'other'),
    );
    const textOf = async (id: string) => (await recall(results, { id })).text;
    for (const [number, text] of ['one', 'two', 'three', 'two'].entries())
      assert.equal(await textOf(`a#${number + 1}`), text);
    assert.deepEqual(
      ['one', 'two', 'three'].map((text) => results.idOf('a', text)),
      ['a#1', 'a#4', 'a#3'],
    );
    assert.equal(results.idOf('a', 'nowhere'), 'a');
    // The id of a call may look as if it had a number.
    assert.equal(await textOf('c#1'), 'other');
    assert.equal(await textOf(results.idOf('c#1', 'other')), 'other');
    for (const id of ['a#0', 'a#5', 'a#', 'd#1'])
      assert.equal((await refusal(results, { id })).error, 'unknown_result');
  });

  test('results of calls with one id are shown in the format of their own tool', async () => {
    const output = { content: [{ type: 'text', text: 'One.' }] };
    const call = (f: object) =>
      entry('model', {
        content: [
          {
            ...{ type: 'tool-call', toolCallId: 'm', toolName: 'web__get', input: {} },
            providerOptions: { toolfold: { n: 'web__get', r: '{}', o: 0, ...f } },
          },
        ],
      });
    const results = of(call({ f: 'mcp' }), result('m', output), call({}), result('m', output));
    assert.equal((await recall(results, { id: 'm#1' })).text, 'One.');
    assert.equal((await recall(results, { id: 'm#2' })).text, JSON.stringify(output));
  });

  test('says what a result holds beside text', async () => {
    const data = Buffer.from('12345').toString('base64');
    const value = [
      { type: 'text', text: 'Before.' },
      { type: 'file', data: { type: 'data', data }, mediaType: 'image/png' },
      { type: 'file', data: { type: 'data', data: new Uint8Array(1_234) }, mediaType: 'image/gif' },
      { type: 'file', data: { type: 'text', text: 'A text.' }, mediaType: 'text/plain' },
      {
        type: 'file',
        data: { type: 'url', url: new URL('http://127.0.0.1/c') },
        mediaType: 'image',
      },
      { type: 'file-data', data, mediaType: 'application/pdf' },
      { type: 'image-url', url: 'http://127.0.0.1/c' },
    ];
    const part = { type: 'tool-result', toolCallId: 'p', toolName: 'files__read' };
    const content = [{ ...part, output: { type: 'content', value } }];
    const results = of(entry('messages', { keep: 0, add: [{ role: 'tool', content }] }));
    const rest = 'not shown here; call the tool again to see it]';
    assert.deepEqual((await recall(results, { id: 'p' })).text.split('\n'), [
      'Before.',
      `[image/png, 5 bytes: ${rest}`,
      `[image/gif, 1,234 bytes: ${rest}`,
      'A text.',
      `[image: ${rest}`,
      `[application/pdf, 5 bytes: ${rest}`,
      `[image-url: ${rest}`,
    ]);
  });

  test('an unknown id: the answer lists the newest ones, without bridge tools', async () => {
    const many = Array.from({ length: 30 }, (_, n) => result(`call_${n}`, 'x'));
    const results = of(...many, result('load', {}, { name: 'load_tools', isBridge: true }));
    const { error, newest } = await refusal(results, { id: 'load' });
    assert.equal(error, 'unknown_result');
    const ids = (newest as { id: string }[]).map(({ id }) => id);
    assert.equal(ids.length, 10);
    assert.equal(ids[0], 'call_29');
    assert.equal((await refusal(of(), { id: 'a' })).newest, undefined);
  });

  test('arguments that do not match the schema are refused with their problems', async () => {
    const results = of(result('a', 'x'));
    for (const [input, problem] of [
      [{}, /id/],
      [{ id: 1 }, /id/],
      [{ id: 'a', offset: -1 }, /offset/],
      [{ id: 'a', limit: 20_001 }, /limit/],
      [{ id: 'a', limit: 0 }, /limit/],
      [{ id: 'a', from: 1 }, /from/],
      ['a', /object/],
    ] as const) {
      const { error, problems } = await refusal(results, input);
      assert.equal(error, 'invalid_arguments');
      assert.match(String(problems), problem);
    }
  });

  test('without an agent the tool says that it cannot read', () => {
    const { execute } = createRecall().tools.recall_result;
    assert.throws(() => execute?.({ id: 'a' }, {} as never), /cannot be read again/);
  });
});
