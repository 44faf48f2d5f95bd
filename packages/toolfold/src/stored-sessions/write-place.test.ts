import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { replaceFile } from '../terminal/files.ts';
import { writePlace } from './export.ts';

async function folderOf(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-place-'));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

async function* texts(...all: string[]): AsyncGenerator<string> {
  yield* all;
}

test('a new file is the user’s alone, and one that is there needs "force"', async (context) => {
  const file = join(await folderOf(context), 'a');
  await writePlace(file, texts('one', ' two'), { force: false });
  assert.equal(readFileSync(file, 'utf8'), 'one two');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const refusal = { code: 'invalid-option', message: /already/ };
  await assert.rejects(writePlace(file, texts('x'), { force: false }), refusal);
  chmodSync(file, 0o644);
  await writePlace(file, texts('three'), { force: true });
  assert.equal(readFileSync(file, 'utf8'), 'three');
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('a link stays one, and its target is written, also where that is new, but only with "force"', async (context) => {
  const folder = await folderOf(context);
  const at = (name: string) => join(folder, name);
  writeFileSync(at('target'), 'old');
  symlinkSync('target', at('link'));
  symlinkSync('link', at('link-to-link'));
  symlinkSync('new', at('dangling'));
  await writePlace(at('link-to-link'), texts('written'), { force: true });
  const refusal = { code: 'invalid-option', message: /already/ };
  await assert.rejects(writePlace(at('dangling'), texts('made'), { force: false }), refusal);
  assert.ok(!readdirSync(folder).includes('new'));
  await writePlace(at('dangling'), texts('made'), { force: true });
  assert.equal(readFileSync(at('target'), 'utf8'), 'written');
  assert.equal(readFileSync(at('new'), 'utf8'), 'made');
  for (const link of ['link', 'link-to-link', 'dangling'])
    assert.ok(lstatSync(at(link)).isSymbolicLink(), link);
  assert.equal(readdirSync(folder).length, 5);
});

test('a device or a pipe is written and stays what it is, with and without "force"', async (context) => {
  for (const force of [true, false]) {
    await writePlace('/dev/null', texts('gone'), { force });
    assert.ok(statSync('/dev/null').isCharacterDevice());
    const folder = await folderOf(context);
    const pipe = join(folder, 'pipe');
    symlinkSync('pipe', join(folder, 'link'));
    execFileSync('mkfifo', [pipe]);
    const read = promisify(execFile)('cat', [pipe]);
    await writePlace(join(folder, 'link'), texts('through ', 'the pipe'), { force });
    assert.equal((await read).stdout, 'through the pipe');
    assert.ok(statSync(pipe).isFIFO());
    assert.deepEqual(readdirSync(folder), ['link', 'pipe']);
  }
});

test('a pipe that nobody reads is an error in words; a large text goes through one', async (context) => {
  const pipe = join(await folderOf(context), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const refusal = { code: 'invalid-option', message: /nobody reads this pipe/ };
  await assert.rejects(writePlace(pipe, texts('x'), { force: false }), refusal);
  const read = promisify(execFile)('cat', [pipe], { maxBuffer: 10_000_000 });
  const large = 'x'.repeat(1_000_000);
  await writePlace(pipe, texts(large, 'end'), { force: false });
  assert.equal((await read).stdout, `${large}end`);
});

test('a folder, and a place in none, is refused in words, and nothing is left', async (context) => {
  const folder = await folderOf(context);
  for (const file of [folder, join(folder, 'none', 'a')])
    await assert.rejects(writePlace(file, texts('x'), { force: true }), { code: 'invalid-option' });
  assert.deepEqual(readdirSync(folder), []);
});

test('a text that fails leaves the file as it was', async (context) => {
  const folder = await folderOf(context);
  const file = join(folder, 'a');
  writeFileSync(file, 'old');
  const failing = (async function* () {
    yield 'new';
    throw new Error('The store failed.');
  })();
  await assert.rejects(writePlace(file, failing, { force: true }), /The store failed/);
  assert.equal(readFileSync(file, 'utf8'), 'old');
  assert.deepEqual(readdirSync(folder), ['a']);
});

test('a configuration that is no regular file is not replaced', async (context) => {
  const folder = await folderOf(context);
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const place of [pipe, '/dev/null'])
    assert.throws(() => replaceFile(place, 'x'), /no regular file/);
  assert.ok(statSync('/dev/null').isCharacterDevice());
  assert.deepEqual(readdirSync(folder), ['pipe']);
});
