import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { home, run } from '../../test/cli/process.test-support.ts';

/** Node without this package. */
const without = (name: string): readonly string[] => {
  const source = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(specifier, context, next) {
      if (specifier !== '${name}') return next(specifier, context);
      throw Object.assign(new Error('absent'), { code: 'ERR_MODULE_NOT_FOUND' });
    } });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(source)}`];
};

test('the demo without the package of its provider ends at once and leaves nothing', async (context) => {
  const folder = await home(context);
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  const { code, stderr } = await run(folder, ['chat', '--demo'], {
    env: { TMPDIR: temporary },
    node: without('@ai-sdk/openai-compatible'),
  });
  assert.equal(code, 1);
  assert.match(stderr, /The demo needs the package @ai-sdk\/openai-compatible\. Install it/);
  const left = (await readdir(temporary)).filter((name) => name.startsWith('toolfold-'));
  assert.deepEqual(left, []);
});
