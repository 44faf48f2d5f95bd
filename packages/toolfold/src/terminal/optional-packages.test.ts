import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { installLine } from './optional-packages.ts';

const NAME = '@ai-sdk/anthropic';
const ONE = `${NAME}@4`;

/** The line for a package in a folder below a temporary one, with these files around it. */
async function lineIn(
  context: TestContext,
  folder: string,
  files: Readonly<Record<string, string>> = {},
  inside = 'node_modules/toolfold',
): Promise<string> {
  const above = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(above, { recursive: true }));
  const project = join(above, folder);
  await mkdir(project, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
  return installLine(NAME, { root: join(project, inside), args: ['chat', '--model', 'a b'] });
}

test('runners get the missing package and what they were told to run', async (context) => {
  const npx = JSON.stringify({ _npx: { packages: ['../toolfold-0.1.0.tgz'] } });
  assert.equal(
    await lineIn(context, '.npm/_npx/0a1b', { 'package.json': npx }),
    `npx --package=../toolfold-0.1.0.tgz --package=${ONE} -- toolfold chat --model …`,
  );
  for (const manifest of ['{', '{"_npx":{"packages":[1]}}', '{}'])
    assert.equal(
      await lineIn(context, '.npm/_npx/0a1b', { 'package.json': manifest }),
      `npx --package=toolfold --package=${ONE} -- toolfold chat --model …`,
    );
  assert.equal(
    await lineIn(context, 'pnpm/dlx/h/i', {}, 'node_modules/.pnpm/t@1/node_modules/toolfold'),
    `pnpm --package=toolfold --package=${ONE} dlx toolfold chat --model …`,
  );
  assert.equal(
    await lineIn(context, 'xfs-0/dlx-77'),
    `yarn dlx --package toolfold --package ${ONE} toolfold chat --model …`,
  );
  assert.equal(await lineIn(context, 'bunx-0-toolfold'), `bun add --global toolfold ${ONE}`);
});

test('a project gets the command of its own manager', async (context) => {
  const manifest = { 'package.json': '{}' };
  assert.equal(await lineIn(context, 'app', manifest), `npm install ${ONE}`);
  assert.equal(await lineIn(context, 'app', { ...manifest, 'yarn.lock': '' }), `yarn add ${ONE}`);
  assert.equal(await lineIn(context, 'app', { ...manifest, 'bun.lock': '' }), `bun add ${ONE}`);
  const pnpm = 'node_modules/.pnpm/toolfold@0.1.0/node_modules/toolfold';
  assert.equal(
    await lineIn(context, 'app', { ...manifest, 'pnpm-lock.yaml': '' }, pnpm),
    `pnpm add ${ONE}`,
  );
  assert.equal(
    await lineIn(context, '.yarn/cache/t.zip', {}, 'node_modules/toolfold'),
    `yarn add ${ONE}`,
  );
});

test('an installation for the user gets the global command, and a checkout its own', async (context) => {
  assert.equal(await lineIn(context, 'lib'), `npm install --global ${ONE}`);
  assert.equal(
    await lineIn(context, 'pnpm/global/5', { 'package.json': '{}' }),
    `pnpm add --global ${ONE}`,
  );
  assert.equal(
    await lineIn(context, '.bun/install/global', { 'package.json': '{}' }),
    `bun add --global ${ONE}`,
  );
  assert.equal(await lineIn(context, 'toolfold', {}, '.'), 'npm ci');
});
