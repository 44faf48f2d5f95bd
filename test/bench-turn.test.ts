// test: slow
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { type Changes, type Counts, changesOf } from '../bench/turn/changes.ts';
import { entriesOf, followEntries, type Place } from '../bench/turn/entries.ts';
import { root } from './tree.ts';

const sum = (counts: Counts) => counts.reduce((all, [, count]) => all + count, 0);
const inRooms = (...rooms: string[]): Place[] =>
  rooms.map((room) => ({ file: `src/${room}/file.ts`, line: 1, column: 1, name: '' }));

suite('the order of entries', () => {
  let forms: typeof import('./entered/forms.ts');
  before(async () => {
    followEntries('test/entered');
    forms = await import('./entered/forms.ts');
  });
  const namesOf = async (work: () => unknown) =>
    (await entriesOf(async () => void (await work()))).map(({ name }) => name);

  test('a function of each form is recorded when its body is entered', async () => {
    const { Box, declared, expression, generated, held, nested } = forms;
    assert.deepEqual(await namesOf(declared), ['declared', 'inner']);
    assert.deepEqual(await namesOf(() => expression('a')), ['expression']);
    assert.deepEqual(await namesOf(() => nested()(1)), ['nested', '']);
    assert.deepEqual(await namesOf(() => Box.make()), ['make', 'constructor']);
    const box = new Box('b');
    assert.deepEqual(await namesOf(() => box.text), ['text']);
    assert.deepEqual(await namesOf(() => Object.assign(box, { text: '' })), ['text', '#hidden']);
    assert.deepEqual(await namesOf(() => generated()), []);
    assert.deepEqual(await namesOf(() => [...generated()]), ['generated']);
    assert.deepEqual(await namesOf(() => held.method()), ['method', '', '']);
  });

  test('what the followed functions return stays', async () => {
    assert.deepEqual(forms.nested()(3), { value: 3 });
    assert.equal((await forms.Box.make()).text, 'é');
    assert.deepEqual(forms.held.method(), [2, 4]);
  });

  test('the place is that of the source, and nothing is recorded outside the work', async () => {
    const places = await entriesOf(async () => void forms.declared());
    forms.declared();
    assert.deepEqual(places, [
      { file: 'test/entered/forms.ts', line: 4, column: 1, name: 'declared' },
      { file: 'test/entered/inner/inner.ts', line: 1, column: 1, name: 'inner' },
    ]);
  });
});

test('a change of room is the entry of a function in another folder', () => {
  const { changes, back, entries, rooms, pairs, files } = changesOf(
    inRooms('a', 'a', 'b', 'a', 'c', 'c', 'a', 'b'),
  );
  assert.deepEqual({ changes, back, entries }, { changes: 5, back: 3, entries: 8 });
  assert.deepEqual(Object.fromEntries(rooms), { 'src/a': 2, 'src/b': 2, 'src/c': 1 });
  assert.deepEqual(pairs[0], ['src/a > src/b', 2]);
  assert.equal(files.length, 3);
  assert.equal(changesOf([]).changes, 0);
});

test('the turn reaches the server, the user and the session, and its sums agree', async () => {
  const args = ['bench/turn-trace.ts', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: root,
    maxBuffer: 2 ** 24,
  });
  const traced: Changes & { readonly written: readonly { readonly kind: string }[] } =
    JSON.parse(stdout);
  assert.ok(traced.changes > 0);
  assert.equal(sum(traced.rooms), traced.changes);
  assert.equal(sum(traced.pairs), traced.changes);
  assert.equal(sum(traced.functionPairs), traced.changes);
  assert.equal(sum(traced.functions), traced.entries);
  // Every change goes back but the first one into each room. The turn begins in one.
  assert.equal(traced.back, traced.changes - (traced.rooms.length - 1));
  const rooms = traced.rooms.map(([room]) => room);
  for (const room of [
    'packages/agent/src/loop',
    'packages/core/src/host',
    'packages/mcp/src/server',
    'packages/agent/src/sqlite',
  ])
    assert.ok(rooms.includes(room), `${room} is entered`);
  const kinds = traced.written.map(({ kind }) => kind);
  for (const kind of ['user', 'call', 'approval', 'answer', 'result'])
    assert.ok(kinds.includes(kind), `an entry "${kind}" is written`);
});
