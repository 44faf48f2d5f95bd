import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { home, run } from '../../test/cli/process.test-support.ts';
import { createWorkplace, FILE, scriptFor } from './demo.ts';

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

test('the demo without a terminal and without a message says so, and leaves nothing', async (context) => {
  const folder = await home(context);
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  const { code, stdout, stderr } = await run(folder, ['chat', '--demo'], {
    env: { TMPDIR: temporary },
    input: '',
  });
  assert.deepEqual([code, stdout], [2, ''], stderr);
  assert.match(stderr, /^toolfold: No message came: /m);
  const left = (await readdir(temporary)).filter((name) => name.startsWith('toolfold-'));
  assert.deepEqual(left, []);
});

test('the last answer of the demo says what has happened', async () => {
  await using workplace = await createWorkplace();
  const { folder, repository } = workplace;
  const text = () => {
    const next = scriptFor(workplace);
    for (;;) {
      const { calls, text = '' } = next();
      if (!calls) return text;
    }
  };
  assert.match(text(), /haiku\.txt was not written, the commit was not made, and .* does not know/);
  await writeFile(join(repository, FILE), '');
  await writeFile(join(folder, 'memory.jsonl'), '{}');
  // The user has denied the commit.
  assert.equal(
    text(),
    `Not all is done: haiku.txt is in ${repository}, the commit was not made, and the knowledge graph knows of it.`,
  );
  const heads = join(repository, '.git', 'refs', 'heads');
  await mkdir(heads, { recursive: true });
  await writeFile(join(heads, 'main'), '');
  assert.equal(
    text(),
    `Done: haiku.txt is committed in ${repository}, and the knowledge graph knows of it.`,
  );
});
