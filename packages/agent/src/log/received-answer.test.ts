import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { screenOf } from '../events/screen.ts';
import { ReceivedAnswer, withdrawalOf } from './received-answer.ts';

const TOOLS = { isReal: () => true, refusesCalls: () => false, schemaOf: undefined };
const delta = (type: 'text' | 'reasoning', id: string, text: string) =>
  ({ type: `${type}-delta`, id, delta: text }) as const;

function received(parts: readonly LanguageModelV4StreamPart[]) {
  const answer = new ReceivedAnswer(1);
  return { answer, events: parts.flatMap((part) => answer.take(part, TOOLS)) };
}

describe('promise 45: the answer that is received', () => {
  test('withdraws its texts as they were shown: the pieces of several blocks may alternate', () => {
    for (const type of ['text', 'reasoning'] as const) {
      const { answer, events } = received([
        { type: `${type}-start`, id: 'a' },
        { type: `${type}-start`, id: 'b' },
        ...['b', 'a', 'b'].map((id) => delta(type, id, `${id}.`)),
      ]);
      assert.equal(answer[type], 'b.a.b.');
      const contents = answer.parts.map((part) => 'text' in part && part.text);
      assert.deepEqual(contents, ['a.', 'b.b.']);
      const user = { type: 'user', text: 'Go.' } as const;
      const discarded = { type: 'discarded', ...withdrawalOf(answer) } as const;
      assert.deepEqual(screenOf([user, ...events, discarded]).turns[0]?.blocks, []);
    }
  });

  test('keeps a text without a start, which is shown, and nothing of an end alone', () => {
    for (const type of ['text', 'reasoning'] as const) {
      const alone = received([delta(type, 'a', ''), { type: `${type}-end`, id: 'a' }]);
      assert.deepEqual([alone.answer.parts, alone.events], [[], []]);
      const { answer, events } = received([
        delta(type, 'a', 'Hm.'),
        { type: `${type}-end`, id: 'a' },
      ]);
      assert.deepEqual([answer.parts, events], [[{ type, text: 'Hm.' }], [{ type, text: 'Hm.' }]]);
    }
  });
});
