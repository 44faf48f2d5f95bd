import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { withLock } from './login-store.ts';

async function fileIn(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-lock-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'login.json');
}

test('work under one lock runs one after the other, also after a failure', async (context) => {
  const file = await fileIn(context);
  let running = 0;
  const work = async (fails: boolean): Promise<void> => {
    running += 1;
    assert.equal(running, 1);
    await new Promise(setImmediate);
    running -= 1;
    if (fails) throw new Error('failed');
  };
  const results = await Promise.allSettled(
    [true, false, false].map((fails) => withLock(file, () => work(fails))),
  );
  assert.deepEqual(results.map(({ status }) => status).sort(), [
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
  assert.deepEqual(await readdir(join(file, '..')), []);
});

test('a lock that was left behind does not stop anybody', async (context) => {
  const file = await fileIn(context);
  await writeFile(`${file}.lock`, '');
  await utimes(`${file}.lock`, 0, 0);
  assert.equal(await withLock(file, async () => 7), 7);
});

test('where no lock can be made, the work runs without one', async (context) => {
  const file = await fileIn(context);
  await writeFile(file, '');
  assert.equal(await withLock(join(file, 'below', 'x.json'), async () => 7), 7);
});
