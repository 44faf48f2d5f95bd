// test: slow
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { command } from '../cli/in-process.test-support.ts';
import type { Outcome } from '../cli/process.test-support.ts';
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
  const { stdout, code } = await sessions('show', 'one');
  assert.equal(code, 0);
  assert.match(
    stdout,
    /> The first question(?:.|\n)*Damage of the file has destroyed(?:.|\n)*> The last/,
  );
  assert.doesNotMatch(stdout, /secret question/i);
  assert.match((await sessions('export', 'one', '--format', 'markdown')).stdout, /has destroyed/);
  assert.match((await sessions('show', 'whole')).stdout, /> The other session/);
  assert.match((await sessions('doctor')).stdout, /"one" cannot be continued.*has destroyed entry/);
});

test('promise 80: each command says that the file is damaged and how to recover it, and none writes it', async (context) => {
  const { folder, place, sessions, add, answering } = await sessionsScene(context);
  const long = ' and more'.repeat(1_000);
  await add({ id: 'whole' }, ...turn(`The other session${long}`));
  await add(
    { id: 'one' },
    ...turn('The first'),
    ...turn(`A secret question${long}`),
    ...turn('End'),
  );
  const exported = join(folder, 'whole.jsonl');
  await sessions('export', 'whole', '-o', exported);
  const file = join(place, 'sessions.db');
  const bytes = await readFile(file);
  const at = bytes.indexOf('"content":"A secret question');
  bytes.fill(0, at - (at % 4096), at - (at % 4096) + 4096);
  await writeFile(file, bytes);
  const told = (outcome: Outcome) => {
    const words = outcome.stderr.replaceAll(/\s+/g, ' ');
    assert.match(words, /sessions\.db is damaged: /);
    assert.ok(words.includes(`sqlite3 "${file}" ".recover" | sqlite3 "`), words);
    return outcome;
  };
  const env = { XDG_DATA_HOME: join(folder, 'data'), TEST_API_KEY: 'key' };
  const run = (...args: string[]) =>
    command(folder, ['run', '--base-url', 'http://127.0.0.1:9', '--model', 'test/m', ...args], {
      env,
    });
  const read = [
    await sessions('ls'),
    await sessions('ls', 'other'),
    await sessions('ls', '--json'),
    await sessions('show', 'whole'),
    await sessions('show', 'one'),
    await sessions('export', 'one', '--format', 'markdown'),
  ].map(told);
  assert.deepEqual(
    read.map(({ code }) => code),
    [0, 0, 0, 0, 0, 0],
  );
  for (const { stdout } of read.slice(0, 1))
    assert.match(stdout, /whole(?:.|\n)*one|one(?:.|\n)*whole/);
  assert.match(read[1]?.stdout ?? '', /whole/);
  assert.match(read[3]?.stdout ?? '', /> The other session/);
  for (const { stdout } of read.slice(4)) assert.match(stdout, /has destroyed/);
  const refused = [
    await run('--session', 'whole', 'Go on'),
    await run('--session', 'new', 'Begin'),
    await sessions('import', exported),
    await answering(['y'], 'rm', 'whole'),
  ].map(told);
  for (const { code, stderr } of refused) assert.notEqual(code, 0, stderr);
  const doctor = await sessions('doctor', '--repair');
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /sessions\.db is damaged: .*\.recover/);
  assert.ok((await readFile(file)).equals(bytes));
});
