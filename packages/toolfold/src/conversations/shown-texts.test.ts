import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AgentEvent } from '@toolfold/agent/internal/events/events.ts';
import { ShownTexts } from './session-view.ts';

const usage: AgentEvent = { type: 'usage', input: 1, cacheRead: 0, cacheWrite: 0, output: 1 };
const end: AgentEvent = { type: 'end', reason: 'done', text: '', roundsLeft: 1 };
const text = (words: string): AgentEvent => ({ type: 'text', text: words });

test('a secret in pieces is hidden, whatever stands between them', () => {
  const texts = new ShownTexts<AgentEvent>(() => ['hunter2-hunter3']);
  const events = [text('It is hun'), usage, text('ter2-hun'), usage, text('ter3. And hun'), end];
  const shown = events.flatMap((event) => texts.of(event));
  const words = shown.map((event) => (event.type === 'text' ? event.text : event.type));
  assert.deepEqual(words, ['It is ', 'usage', 'usage', '[redacted]. And ', 'hun', 'end']);
});

/** Each case: what the model writes, its thoughts, its answer. */
const CASES: Readonly<Record<string, readonly [string, string, string]>> = {
  'between tags': [
    '\n<think>\nOne <b> two\n</think>\n\nThe answer.',
    '\nOne <b> two\n',
    'The answer.',
  ],
  'with the long tags': ['<thinking>x</thinking>y', 'x', 'y'],
  'empty ones': ['<think>\n\n</think>\n\ny', '\n\n', 'y'],
  'a tag that is never closed': ['<think>all of it </thin', 'all of it </thin', ''],
  'a tag in the answer': ['Say `<think>` and `</think>`.', '', 'Say `<think>` and `</think>`.'],
  'a tag behind thoughts': ['<think>x</think>y\n</think>\nz', 'x', 'y\n</think>\nz'],
  'no tag': ['<b>x</b>\n  <thin\n</thinker>\n', '', '<b>x</b>\n  <thin\n</thinker>\n'],
  'only the beginning of a tag': ['<thi', '', '<thi'],
  // The server leaves out the first tag: what was shown stays, and only the second one is left out.
  'the second tag alone': ['One\n</think>\n\ntwo\n', '', 'One\ntwo\n'],
  'the second tag at the end': ['One\n </thinking> ', '', 'One\n'],
};

describe('thoughts between tags', () => {
  for (const [name, [written, thoughts, answer]] of Object.entries(CASES)) {
    test(`${name}, in pieces of any length`, () => {
      for (let length = 1; length <= written.length; length += 1) {
        const pieces: string[] = [];
        for (let at = 0; at < written.length; at += length)
          pieces.push(written.slice(at, at + length));
        const texts = new ShownTexts<AgentEvent>(() => ['hunter2']);
        const events: AgentEvent[] = pieces.flatMap((piece) => [text(piece), usage]);
        const shown: AgentEvent[] = [...events, end].flatMap((event) => texts.of(event));
        const of = (type: 'reasoning' | 'text') =>
          shown.flatMap((event) => (event.type === type ? event.text : [])).join('');
        assert.deepEqual([of('reasoning'), of('text')], [thoughts, answer], `${length}`);
        assert.equal(shown.at(-1), end);
      }
    });
  }

  test('of the next request are read again, and parts keep the place of their text', () => {
    const texts = new ShownTexts<AgentEvent & { readonly step: number }>();
    const shown = [1, 2].flatMap((step) => [
      ...texts.of({ ...text('<think>a</think>b\n'), step }),
      ...texts.of({ ...text('<'), step }),
      ...texts.of({ type: 'user', text: '', step: 0 }),
    ]);
    const [one, two] = [1, 2].map((step) => [
      { type: 'reasoning', text: 'a', step },
      { type: 'text', text: 'b\n', step },
      { type: 'text', text: '<', step },
      { type: 'user', text: '', step: 0 },
    ]);
    assert.deepEqual(shown, [...(one ?? []), ...(two ?? [])]);
  });
});
