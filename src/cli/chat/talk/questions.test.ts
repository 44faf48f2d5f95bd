import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createApprover } from '../../approvals/index.ts';
import { Questions } from './index.ts';

test('a question that is repeated still shows what it is about', async () => {
  const outside: string[] = [];
  const questions = new Questions(
    () => {},
    (text) => outside.push(text),
  );
  const { note, hold, askLine } = questions;
  const { signal } = new AbortController();
  const { ask } = createApprover({ note, hold, askLine, signal, allowed: [] });
  const request = { id: '1', name: 'files__write', arguments: { path: 'a.txt' } };
  const answer = ask(request);
  await turn();
  const { lines = [] } = questions.open ?? {};
  assert.match(lines.join('\n'), /files__write \{"path":"a.txt"\}\nneeds your approval/);
  questions.open?.answer('what?');
  await turn();
  assert.deepEqual(questions.open?.lines, lines);
  questions.open?.answer('n');
  assert.equal((await answer).approved, false);
  assert.deepEqual(outside, []);
});
