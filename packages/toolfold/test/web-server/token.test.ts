import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { newToken, userToken } from '../../src/web-server/guard.ts';

test('a token that others may know is replaced, and what is no file is refused', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-token-'));
  context.after(() => rm(folder, { recursive: true }));
  const [file, token] = [join(folder, 'token'), newToken()];
  await writeFile(file, token, { mode: 0o600 });
  assert.equal(await userToken(file), token);
  await chmod(file, 0o644);
  const next = await userToken(file);
  assert.notEqual(next, token);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  await writeFile(file, 'a'.repeat(43));
  assert.notEqual(await userToken(file), 'a'.repeat(43));
  await mkdir(join(folder, 'folder'));
  await symlink(file, join(folder, 'link'));
  for (const name of ['folder', 'link'])
    await assert.rejects(userToken(join(folder, name)), { code: 'invalid-config' });
});
