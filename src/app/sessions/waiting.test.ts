import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { WaitingMessages } from './waiting.ts';

const message = (id: string) => ({ id, text: `The text of ${id}.` });

async function place(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-waiting-'));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** Writes the files of a process again as those of one that has ended. */
async function end(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const left = JSON.parse(await readFile(file, 'utf8'));
    const owner = { ...left.owner, boot: 'an earlier one' };
    await writeFile(file, JSON.stringify({ ...left, owner }));
  }
}

test('what a process leaves is taken once, by session, and only when that process has ended', async (context) => {
  const folder = await place(context);
  const first = new WaitingMessages(folder);
  await first.keep('s', [message('a')]);
  await first.keep('s', [message('a'), message('b')]);
  const [file = ''] = await readdir(folder);
  assert.equal((await stat(join(folder, file))).mode & 0o777, 0o600);
  const next = new WaitingMessages(folder);
  assert.deepEqual(await next.take('s'), []);
  await end(folder);
  assert.deepEqual(await next.take('other'), []);
  const taken = await Promise.all([next.take('s'), new WaitingMessages(folder).take('s')]);
  assert.deepEqual(taken.flat(), [message('a'), message('b')]);
  assert.deepEqual(await next.take('s'), []);
  await next.keep('s', [message('c')]);
  await next.keep('s', []);
  assert.deepEqual(await readdir(folder), []);
});

test('what is not readable is left alone, and a folder that is not there has nothing', async (context) => {
  const folder = await place(context);
  const texts = ['', '{', 'null', '{"session":"s","messages":[]}', '{"session":"s","owner":1}'];
  for (const [at, text] of texts.entries()) await writeFile(join(folder, `file-${at}`), text);
  assert.deepEqual(await new WaitingMessages(folder).take('s'), []);
  assert.equal((await readdir(folder)).length, texts.length);
  assert.deepEqual(await new WaitingMessages(join(folder, 'none')).take('s'), []);
});
