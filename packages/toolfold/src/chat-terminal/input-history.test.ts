import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputHistory } from './outbox.ts';

test('what was typed before earlier texts were read comes first', () => {
  const said: string[] = [];
  const history = new InputHistory((text) => void said.unshift(text));
  history.add('Typed early');
  history.load(['Newest', 'Oldest']);
  history.add('Typed late');
  assert.deepEqual(said.slice(0, 4), ['Typed late', 'Typed early', 'Newest', 'Oldest']);
});
