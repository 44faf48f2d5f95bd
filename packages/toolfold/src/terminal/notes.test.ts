import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunNotes } from './terminal.ts';

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

test('questions are asked one after the other', async () => {
  const order: string[] = [];
  const notes = new RunNotes(() => {});
  const ask = (name: string) =>
    notes.during(async () => {
      order.push(`${name} begins`);
      await new Promise(setImmediate);
      order.push(`${name} ends`);
    });
  await Promise.all([ask('one'), ask('two'), ask('three')]);
  const each = ['one', 'two', 'three'].flatMap((name) => [`${name} begins`, `${name} ends`]);
  assert.deepEqual(order, each);
});

test('a line of progress is cleared before other lines, and not shown during a question', async () => {
  const written: string[] = [];
  const notes = new RunNotes(
    (text) => written.push(text),
    (line) => written.push(`[${line}]`),
  );
  notes.progress('');
  notes.progress('1 of 2');
  notes.note('a line');
  notes.progress('2 of 2');
  await notes.during(async () => {
    notes.progress('3 of 2');
    notes.now('a question');
  });
  notes.progress('');
  assert.deepEqual(written, ['[1 of 2]', '[]', 'a line', '[2 of 2]', '[]', 'a question']);
});
