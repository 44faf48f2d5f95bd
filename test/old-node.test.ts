import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a file of `bin/` as a Node of another version would. */
function runAs(version: string, file: string, ...args: string[]) {
  const other = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${other}`, file, ...args],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

/** The files of `bin/` in a folder without sources, like those of the published package. */
function installed(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolfold-'));
  context.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const name of ['toolfold.js', 'check-node.js'])
    copyFileSync(join(root, 'packages/toolfold/bin', name), join(folder, 'bin', name));
  return join(folder, 'bin');
}

test('an old Node: one line that names the version that is needed', (context) => {
  const bin = installed(context);
  for (const version of ['18.20.0', '20.20.2', '22.18.0']) {
    assert.deepEqual(runAs(version, join(bin, 'toolfold.js'), '--version'), {
      status: 1,
      stdout: '',
      stderr: `toolfold needs Node 22.19 or newer, this is ${version}. In your project run "npm install node@24" and then "npx --no-install toolfold".\n`,
    });
  }
  for (const version of ['22.19.0', '23.0.0', '24.0.0'])
    assert.equal(runAs(version, join(bin, 'check-node.js')).status, 0, version);
});

test('an old Node in a checkout: the line says that npm ci installs another', () => {
  for (const version of ['20.20.2', '22.19.0', '23.11.0']) {
    for (const file of ['toolfold.js', 'check-node.js']) {
      const { status, stdout, stderr } = runAs(
        version,
        join(root, 'packages/toolfold/bin', file),
        '--version',
      );
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(
        stderr,
        /^A checkout of toolfold needs Node 24 or newer, this is [\d.]+\. Run "npm ci", .*\n$/,
      );
    }
  }
  assert.equal(runAs('24.0.0', join(root, 'packages/toolfold/bin/check-node.js')).status, 0);
});

test('npm start and npm test check the version first', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(scripts.prestart, 'node packages/toolfold/bin/check-node.js');
  assert.equal(scripts.pretest, 'node packages/toolfold/bin/check-node.js');
});

test('a checkout with the node_modules of another one is refused, because that one would run', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'toolfold-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const bin = join(folder, 'packages/toolfold/bin');
  for (const place of [
    bin,
    join(folder, 'packages/toolfold/src/cli'),
    join(folder, 'packages/core'),
  ])
    mkdirSync(place, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'packages/toolfold/src/cli/main.ts'), '');
  for (const name of ['toolfold.js', 'check-node.js'])
    copyFileSync(join(root, 'packages/toolfold/bin', name), join(bin, name));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const name of ['toolfold.js', 'check-node.js']) {
    const { status, stdout, stderr } = runAs('24.0.0', join(bin, name), '--version');
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(
      stderr,
      /node_modules of this checkout .* belong to another one: .*packages.core would run\. Delete/,
    );
  }
});
