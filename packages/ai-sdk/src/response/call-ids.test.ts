import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readStamp } from '@toolfold/core/internal/host/stamp.ts';
import type {
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '../protocol/language-model.ts';
import { CallIds } from './call-ids.ts';

type Part = LanguageModelV4StreamPart;
type Call = Extract<Part, { type: 'tool-call' }>;

const call = (toolCallId: string, n = 1): Call => ({
  ...{ type: 'tool-call', toolCallId, toolName: 'say' },
  input: JSON.stringify({ n }),
});
const streamed = (id: string, n = 1): Part[] => [
  { type: 'tool-input-start', id, toolName: 'say' },
  { type: 'tool-input-delta', id, delta: `${n}` },
  { type: 'tool-input-end', id },
  call(id, n),
];
const byProvider = (toolCallId: string): Call => ({ ...call(toolCallId), providerExecuted: true });
const result = (toolCallId: string): Part => ({
  ...{ type: 'tool-result', toolCallId, toolName: 'say', result: 'of the provider' },
});
const asked = (...calls: (readonly [id: string, given?: string])[]): LanguageModelV4Prompt => [
  {
    role: 'assistant',
    content: calls.map(([toolCallId, i]) => ({
      ...{ type: 'tool-call', toolCallId, toolName: 'say', input: {} },
      ...(i === undefined ? {} : { providerOptions: { toolfold: { n: 'say', r: '{}', o: 0, i } } }),
    })),
  },
];

async function read(prompt: LanguageModelV4Prompt, parts: readonly Part[], used: string[] = []) {
  const ids = new CallIds(prompt, (id) => used.includes(id));
  const streamed: Part[] = [];
  async function* stream() {
    yield* parts;
  }
  for await (const part of ids.ofStream(stream())) streamed.push(part);
  return streamed;
}

const callsOf = (parts: readonly Part[]) =>
  parts.flatMap((part) => {
    if (part.type !== 'tool-call') return [];
    const i = readStamp(part.providerMetadata)?.i;
    return [i === undefined ? part.toolCallId : `${part.toolCallId} for "${i}"`];
  });

/** The ids of calls before, those of an answer, and what they become. */
const TABLE: readonly (readonly [
  name: string,
  before: LanguageModelV4Prompt,
  given: readonly string[],
  own: readonly string[],
])[] = [
  ['its own', asked(['a']), ['b', 'c'], ['b', 'c']],
  ['twice in an answer', [], ['a', 'a', 'a'], ['a', 'a_2 for "a"', 'a_3 for "a"']],
  ['of an earlier answer', asked(['a']), ['a'], ['a_2 for "a"']],
  ['of an earlier answer with its own', asked(['a'], ['a_2', 'a']), ['a'], ['a_3 for "a"']],
  ['that looks like an own one', asked(['a'], ['a_2', 'a']), ['a_2'], ['a_2_2 for "a_2"']],
  ['none', asked(['call_1', '']), ['', ''], ['call_2 for ""', 'call_3 for ""']],
  [
    'long',
    asked(['x'.repeat(40)]),
    ['x'.repeat(40)],
    [`${'x'.repeat(38)}_2 for "${'x'.repeat(40)}"`],
  ],
  ['of a property of all objects', asked(['constructor']), ['__proto__'], ['__proto__']],
];

describe('promise 9: the ids of calls', () => {
  for (const [name, before, given, own] of TABLE)
    test(`${name}: whole, streamed in turn, and streamed side by side`, async () => {
      const whole = new CallIds(before, () => false).ofContent(given.map((id) => call(id)));
      assert.deepEqual(callsOf(whole as Part[]), own);
      const parts = given.map((id, n) => streamed(id, n));
      for (const all of [
        parts.flat(),
        [0, 1, 2, 3].flatMap((at) => parts.flatMap((one) => one[at] ?? [])),
      ]) {
        const read_ = await read(before, all);
        assert.deepEqual(callsOf(read_), own);
        const ids = own.map((one) => one.split(' ')[0]);
        for (const type of ['tool-input-start', 'tool-input-end'] as const)
          assert.deepEqual(
            read_.flatMap((part) => (part.type === type ? part.id : [])),
            ids,
          );
      }
    });

  test('an answer keeps which arguments are whose', async () => {
    const parts = await read([], [...streamed('a', 1), ...streamed('a', 2)]);
    const deltas = parts.flatMap((part) =>
      part.type === 'tool-input-delta' ? [[part.id, part.delta]] : [],
    );
    assert.deepEqual(deltas, [
      ['a', '1'],
      ['a_2', '2'],
    ]);
  });

  test('an id whose messages are gone is not used again', async () => {
    assert.deepEqual(callsOf(await read([], [call('a')], ['a', 'a_2'])), ['a_3 for "a"']);
  });

  test('a call without the field', async () => {
    const { toolCallId: _, ...bare } = call('');
    assert.deepEqual(callsOf(await read([], [bare as Call])), ['call_1 for ""']);
  });

  test('calls that the provider runs keep their ids, and their results', async () => {
    const parts = [
      byProvider('a'),
      result('a'),
      call('a'),
      byProvider('b'),
      result('b'),
      result('c'),
    ];
    const kept = await read([], parts);
    assert.deepEqual(callsOf(kept), ['a', 'a_2 for "a"', 'b']);
    assert.equal(kept.filter(({ type }) => type === 'tool-result').length, 3);
  });

  test('a result that the provider gives for a call which it does not run is left out', async () => {
    for (const before of [[], asked(['x', 'a'])])
      for (const id of ['a', '', 'a_2']) {
        const parts = [call('a'), call('a'), call(''), result(id)];
        const kept = await read(before, parts);
        assert.equal(kept.length, 3, id);
        const whole = new CallIds(before, () => false).ofContent(parts as Call[]);
        assert.equal(whole.length, 3, id);
      }
    assert.equal((await read(asked(['x', 'a']), [result('a'), result('x')])).length, 0);
  });
});
