import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sessionsScene, turn } from './sessions.test-support.ts';

test('a session with a destroyed entry is shown with its gap, and named by the doctor', async (context) => {
  const { sessions, add, place } = await sessionsScene(context);
  await add({ id: 'whole' }, ...turn('The other session'));
  await add(
    { id: 'one' },
    ...turn('The first question'),
    ...turn('A secret question'),
    ...turn('The last'),
  );
  const file = join(place, 'sessions.db');
  const text = await readFile(file, 'latin1');
  await writeFile(file, text.replaceAll('"A secret question"', '"A Secret question"'), 'latin1');
  // What meets the damage fails once. The file is then repaired.
  const first = await sessions('show', 'one');
  assert.notEqual(first.code, 0);
  assert.match(first.stderr, /was damaged\. It was kept as .*\n?.*2 sessions/);
  const { stdout, code } = await sessions('show', 'one');
  assert.equal(code, 0);
  assert.match(
    stdout,
    /> The first question(?:.|\n)*Damage of the file has destroyed(?:.|\n)*> The last/,
  );
  assert.doesNotMatch(stdout, /secret question/);
  assert.match((await sessions('export', 'one', '--format', 'markdown')).stdout, /has destroyed/);
  assert.match((await sessions('show', 'whole')).stdout, /> The other session/);
  assert.match((await sessions('doctor')).stdout, /"one" cannot be continued.*has destroyed entry/);
});
