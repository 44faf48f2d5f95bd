import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BridgeKind } from '@toolfold/core/internal/tool/strategies.ts';
import { readTranscript } from '@toolfold/core/internal/transcript/conversation.ts';
import type { TranscriptMessage } from '@toolfold/core/internal/transcript/transcript.ts';
import fc from 'fast-check';
import { LastReading } from './transcript.ts';

const KINDS: readonly ReadonlyMap<string, BridgeKind>[] = [
  new Map([['load_tools', 'load_tools'] as const, ['request_tool', 'request_tool'] as const]),
  new Map([['tool_search', 'tool_search'] as const]),
];

const names = fc.constantFrom('a', 'b', 'c');
const ids = fc.constantFrom('1', '2', '3');
const message = fc.oneof(
  fc.constant({ role: 'user' as const }),
  fc.record({
    role: fc.constant('assistant' as const),
    notes: fc.array(
      fc.record({
        epoch: fc.record({
          strategy: fc.constant('dispatch'),
          fingerprint: names,
          scope: fc.constant('s'),
        }),
        inserts: fc.array(names, { maxLength: 2 }),
        shown: fc.array(names, { maxLength: 2 }),
        declared: fc.array(names, { maxLength: 2 }),
        asText: fc.constant(['1/*']),
      }),
      { maxLength: 1 },
    ),
    calls: fc.array(
      fc.record({
        id: ids,
        name: fc.constantFrom('load_tools', 'request_tool', 'tool_search', 'other'),
        input: fc.record({ name: names }),
      }),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    role: fc.constant('tool' as const),
    results: fc.array(
      fc.record({
        id: ids,
        isError: fc.boolean(),
        output: names.map((name) => ({
          group_id: 'mcp:g',
          expanded: true,
          tool_names: [name],
          remaining: 0,
          schemas: [{ name, parameters: {} }],
        })),
      }),
      { maxLength: 3 },
    ),
  }),
) as fc.Arbitrary<TranscriptMessage>;

/** How the next request follows from the last one. */
const step = fc.record({
  cut: fc.nat(4),
  added: fc.array(message, { maxLength: 4 }),
  kinds: fc.nat(KINDS.length - 1),
  isCopied: fc.boolean(),
});

test('what is continued from the last reading is what the whole says', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const last = new LastReading();
      let messages: readonly TranscriptMessage[] = [];
      const given: unknown[] = [];
      for (const { cut, added, kinds, isCopied } of steps) {
        messages = [...messages.slice(0, messages.length - cut), ...added];
        if (isCopied) messages = structuredClone(messages) as TranscriptMessage[];
        const known = KINDS[kinds] ?? assert.fail();
        const state = last.read(messages, known);
        assert.deepEqual(
          state,
          readTranscript(messages, (name) => known.get(name)),
        );
        given.push([state, structuredClone(state)]);
      }
      // What was read for an earlier request stays as it was.
      for (const [state, then] of given as [unknown, unknown][])
        assert.deepEqual(structuredClone(state), then);
    }),
    { numRuns: 300 },
  );
});

test('a reading that failed leaves nothing behind', () => {
  const last = new LastReading();
  const [kinds = assert.fail()] = KINDS;
  let isBroken = true;
  const asks = (id: string): TranscriptMessage => {
    return { role: 'assistant', calls: [{ id, name: 'load_tools', input: {} }] };
  };
  const broken: TranscriptMessage = {
    role: 'tool',
    get results() {
      if (isBroken) throw new Error('broken');
      return [];
    },
  };
  const messages = [asks('1')];
  last.read(messages, kinds);
  const longer = [...messages, asks('2'), broken];
  assert.throws(() => last.read(longer, kinds));
  isBroken = false;
  const result = (id: string) => ({ id, isError: true, output: {} });
  const whole = [...messages, asks('3'), { role: 'tool' as const, results: [result('2')] }];
  const state = last.read(whole, kinds);
  assert.deepEqual(
    state,
    readTranscript(whole, (name) => kinds.get(name)),
  );
  // There is no call of this result.
  assert.equal(state.failures.size, 0);
});

test('messages that were read are not read again', () => {
  const last = new LastReading();
  let reads = 0;
  const [kinds = assert.fail()] = KINDS;
  const counted = (id: string): TranscriptMessage => ({
    role: 'tool',
    get results() {
      reads++;
      return [{ id, output: {}, isError: false }];
    },
  });
  const messages = [counted('1'), counted('2')];
  last.read(messages, kinds);
  last.read([...messages, counted('3')], kinds);
  assert.equal(reads, 3);
  last.read([counted('1'), ...messages], kinds);
  assert.equal(reads, 6);
});
