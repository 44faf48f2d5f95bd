import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { newOwner } from '@toolfold/agent/internal/sessions/lease.ts';
import { type WaitingMessage, WaitingMessages } from './open-store.ts';

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
  const other = new WaitingMessages(folder);
  const taken = await Promise.all([next.take('s'), other.take('s')]);
  assert.deepEqual(taken.flat(), [message('a'), message('b')]);
  assert.deepEqual(await next.take('s'), []);
  await other.keep('s', []);
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

/** Where a process ends that has opened the session. */
const PLACES = ['before its claim', 'behind its claim', 'behind its own file', 'later'] as const;

const TWO = [message('a'), message('b')];
const unique = (all: readonly WaitingMessage[]) =>
  [...new Map(all.map((one) => [one.id, one])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));

/** Opens the session in a process that ends there. Until then nobody else gets a message. */
async function open(folder: string, place: (typeof PLACES)[number]): Promise<void> {
  const one = new WaitingMessages(folder);
  const elsewhere = () => new WaitingMessages(folder).take('s');
  if (place === 'before its claim') {
    const text = JSON.stringify({ session: 's', owner: newOwner(), messages: [] });
    await writeFile(join(folder, randomUUID()), text);
    return end(folder);
  }
  const taken = await one.take('s');
  assert.deepEqual(unique(taken), TWO);
  assert.deepEqual(await elsewhere(), []);
  const copy = `${folder}-copy`;
  await cp(folder, copy, { recursive: true });
  if (place !== 'behind its claim') await one.keep('s', unique(taken));
  assert.deepEqual(await elsewhere(), []);
  // The claim is still there.
  if (place === 'behind its own file') await cp(copy, folder, { recursive: true, force: false });
  await rm(copy, { recursive: true });
  await end(folder);
}

for (const first of PLACES)
  for (const second of PLACES)
    for (const third of PLACES)
      test(`no message is lost or sent twice where processes end ${first}, ${second} and ${third}`, async (context) => {
        const folder = await place(context);
        await new WaitingMessages(folder).keep('s', TWO);
        await end(folder);
        for (const one of [first, second, third]) await open(folder, one);
        const [last, other] = [new WaitingMessages(folder), new WaitingMessages(folder)];
        const all = await Promise.all([last.take('s'), other.take('s')]);
        assert.deepEqual(unique(all.flat()), TWO);
        for (const one of [last, other]) await one.keep('s', []);
        assert.deepEqual(await readdir(folder), []);
      });
