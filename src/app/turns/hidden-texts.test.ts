import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent } from '../../agent/index.ts';
import { HiddenTexts } from './hidden-texts.ts';

const usage: AgentEvent = { type: 'usage', input: 1, cacheRead: 0, cacheWrite: 0, output: 1 };
const end: AgentEvent = { type: 'end', reason: 'done', text: '', roundsLeft: 1 };
const text = (words: string): AgentEvent => ({ type: 'text', text: words });

test('a secret in pieces is hidden, whatever stands between them', () => {
  const hidden = new HiddenTexts(() => ['hunter2-hunter3']);
  const events = [text('It is hun'), usage, text('ter2-hun'), usage, text('ter3. And hun'), end];
  const shown = events.flatMap((event) => hidden.of(event));
  const words = shown.map((event) => (event.type === 'text' ? event.text : event.type));
  assert.deepEqual(words, ['It is ', 'usage', 'usage', '[redacted]. And ', 'hun', 'end']);
});
