import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPrivate, removePrivate, writePrivate } from './private-files.ts';
import { userFolder } from './user-folder.ts';

test('a private file is the user’s alone, replaced in one step, and leaves nothing beside it', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'deep', 'er', 'a.json');
  assert.equal(await readPrivate(file), undefined);
  assert.equal(await removePrivate(file), false);
  await Promise.all(['one', 'two', 'three'].map((text) => writePrivate(file, text.repeat(10_000))));
  assert.match((await readPrivate(file)) ?? '', /^(?:(?:one)+|(?:two)+|(?:three)+)$/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(join(folder, 'deep'))).mode & 0o777, 0o700);
  assert.deepEqual(await readdir(join(folder, 'deep', 'er')), ['a.json']);
  assert.equal(await removePrivate(file), true);
});

test('what cannot be read or written is an error and not an absent file', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true }));
  await assert.rejects(readPrivate(folder), { code: 'EISDIR' });
  await assert.rejects(writePrivate(folder, 'x'), /EISDIR|ENOTEMPTY|EEXIST/);
  await chmod(folder, 0o700);
  assert.deepEqual(await readdir(folder), []);
});

test('the folders of a user by platform', () => {
  const at = (platform: NodeJS.Platform, env = {}) =>
    (['cache', 'data'] as const).map((kind) => userFolder(kind, { platform, env, home: '/h' }));
  assert.deepEqual(at('linux'), ['/h/.cache/toolfold', '/h/.local/share/toolfold']);
  assert.deepEqual(at('linux', { XDG_CACHE_HOME: '/c', XDG_DATA_HOME: '' }), [
    '/c/toolfold',
    '/h/.local/share/toolfold',
  ]);
  assert.deepEqual(at('darwin'), [
    '/h/Library/Caches/toolfold',
    '/h/Library/Application Support/toolfold',
  ]);
  assert.deepEqual(at('win32', { LOCALAPPDATA: '/l' }), ['/l/toolfold/cache', '/l/toolfold/data']);
});
