import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './tree.ts';

test('bench:gateway names its parts if one of --only is unknown', () => {
  const main = join(root, 'bench/gateway/main.ts');
  const args = [main, '--only', 'starts,strats'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /no part "strats".*calls.*starts.*fidelity/);
  assert.equal(stdout, '');
});
