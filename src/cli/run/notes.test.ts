import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunNotes } from './notes.ts';

test('while a question is open, other lines wait and keep their order', async () => {
  const written: string[] = [];
  const notes = new RunNotes((text) => written.push(text));
  notes.note('before');
  const answer = Promise.withResolvers<string>();
  const question = notes.during(() => answer.promise);
  notes.note('one');
  notes.now('at once');
  notes.note('two');
  assert.deepEqual(written, ['before', 'at once']);
  answer.resolve('y');
  assert.equal(await question, 'y');
  notes.note('after');
  assert.deepEqual(written, ['before', 'at once', 'one', 'two', 'after']);
});

test('a failed question also releases the waiting lines', async () => {
  const written: string[] = [];
  const notes = new RunNotes((text) => written.push(text));
  const question = notes.during(() => Promise.reject(new Error('gone')));
  notes.note('one');
  await assert.rejects(question, /gone/);
  assert.deepEqual(written, ['one']);
});
