import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cachingOf } from '@toolfold/core/internal/models/lookup.ts';
import type { LanguageModelV4Prompt } from '../protocol/language-model.ts';
import { type CacheTime, placesOf } from './places.ts';

type Message = LanguageModelV4Prompt[number];

const { marks } = cachingOf({ provider: 'anthropic.messages', modelId: 'm' }) ?? {};

const system: Message = { role: 'system', content: 'Be brief.' };
const user = (...texts: string[]): Message => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const answer: Message = { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] };
/** A step with calls at once: two messages. */
const step = (calls: number): Message[] => {
  const ids = Array.from({ length: calls }, (_, at) => ({ toolCallId: `${at}`, toolName: 'a' }));
  return [
    { role: 'assistant', content: ids.map((id) => ({ ...id, type: 'tool-call', input: {} })) },
    {
      role: 'tool',
      content: ids.map((id) => ({
        ...id,
        type: 'tool-result',
        output: { type: 'text', value: '1' },
      })),
    },
  ];
};

/** The places as `message.part`, with an `h` for an hour. */
function places(prompt: LanguageModelV4Prompt, time: CacheTime = '5m'): string {
  assert.ok(marks);
  return placesOf({ prompt, tools: [] }, marks, time)
    .map(
      (place) =>
        `${place.index}${place.part === undefined ? '' : `.${place.part}`}${place.time === '1h' ? 'h' : ''}`,
    )
    .join(' ');
}

suite('where marks stand', () => {
  const turn = [system, user('Go.')];

  test('the end of what is frozen, of the request before, and of this one', () => {
    assert.equal(places([]), '');
    assert.equal(places(turn), '0 1.0');
    assert.equal(places([...turn, ...step(1)]), '0 1.0 3.0');
    assert.equal(places([...turn, ...step(40)]), '0 1.0 3.39');
    assert.equal(places([...turn, ...step(40), ...step(40)]), '0 3.39 5.39');
    assert.equal(places([...turn, ...step(2), answer, user('And?')]), '0 3.1 5.0');
    // Messages of the assistant that stand together are one answer.
    assert.equal(places([...turn, answer, answer, user('And?')]), '0 1.0 4.0');
    // A notice stands behind the results.
    assert.equal(places([...turn, ...step(1), user('[Notice]')]), '0 1.0 4.0');
    assert.equal(places([...turn, ...step(1), user('[Notice]'), ...step(1)]), '0 4.0 6.0');
  });

  test('where a mark is possible: not on an empty text, on an approval or on appended tools', () => {
    assert.equal(places([{ ...system, content: ' ' }, user('Go.', ' ')]), '1.0');
    const approval: Message = {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: 'a', approved: true }],
    };
    assert.equal(places([...turn, ...step(1), approval]), '0 1.0 3.0');
    assert.equal(places([...turn, { role: 'system', content: '' }]), '0 1.0');
    assert.equal(places([system, answer]), '0');
  });

  test('each request has a mark where the one before it ended, whatever happened between', () => {
    const log = [
      ...turn,
      ...step(3),
      ...step(25),
      answer,
      user('a'),
      answer,
      user('b', 'c'),
      ...step(1),
      answer,
    ];
    const ends = [2, 4, 6, 8, 10, 12];
    for (const [at, end] of ends.entries()) {
      const before = ends[at - 1];
      if (before === undefined) continue;
      const last = places(log.slice(0, before)).split(' ').at(-1);
      assert.ok(
        places(log.slice(0, end))
          .split(' ')
          .includes(last ?? '-'),
        `${end}`,
      );
    }
  });

  test('an hour for what is frozen and the start of a turn, before all five minutes', () => {
    const at = (prompt: LanguageModelV4Prompt) => places(prompt, '1h');
    assert.equal(at(turn), '0h 1.0h');
    assert.equal(at([...turn, ...step(1)]), '0h 1.0h 3.0');
    // The look-back finds the end of the request before, so that the mark stays at the start of the turn.
    assert.equal(at([...turn, ...step(1), ...step(1)]), '0h 1.0h 5.0');
    assert.equal(at([...turn, ...step(1), ...step(10)]), '0h 3.0 5.9');
    assert.equal(at([...turn, ...step(1), answer, user('And?')]), '0h 1.0h 5.0h');
    assert.equal(at([...turn, ...step(1), answer, user('And?'), ...step(1)]), '0h 5.0h 7.0');
  });
});
