import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { root } from './tree.ts';

/** Every name each entry exports at run time; a change here is a change of the public interface. */
const EXPORTS: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('./exports.json', import.meta.url), 'utf8'),
);

let folder = '';
const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

describe('the packed tarball', () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolfold-pack-'));
    run('npm', ['pack', '--silent', '--pack-destination', folder], root);
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    run('tar', ['xzf', tarball], folder);
    const modules = join(folder, 'app', 'node_modules');
    mkdirSync(modules, { recursive: true });
    // As installed: the package in place of its name, everything else from the checkout.
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(modules, name));
    }
    run('mv', [join(folder, 'package'), join(modules, 'toolfold')], folder);
    writeFileSync(join(folder, 'app', 'package.json'), '{"type":"module"}');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('every subpath imports, with exactly the names it promises', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const subpaths = Object.keys(manifest.exports).filter((path) => path !== './package.json');
    assert.deepEqual(subpaths, Object.keys(EXPORTS));
    for (const path of subpaths) {
      const specifier = `toolfold${path.slice(1)}`;
      const script = `console.log(JSON.stringify(Object.keys(await import('${specifier}')).sort()))`;
      const names = run(
        process.execPath,
        ['--input-type=module', '--eval', script],
        join(folder, 'app'),
      );
      assert.deepEqual(JSON.parse(names), EXPORTS[path], specifier);
    }
  });

  test('types come with it, and a program against them compiles', () => {
    const program = `
      import { createToolLayer } from 'toolfold';
      import { createFold } from 'toolfold/ai-sdk';
      import { connectServers } from 'toolfold/mcp';
      import { startModelServer } from 'toolfold/testing';
      const fold = createFold({ groups: [] });
      export const all = [createToolLayer, connectServers, startModelServer, fold.with];
    `;
    writeFileSync(join(folder, 'app', 'program.ts'), program);
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      'node',
    ];
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    run(tsc, [...options, 'program.ts'], join(folder, 'app'));
  });

  test('the command runs from it', () => {
    const bin = join(folder, 'app', 'node_modules', 'toolfold', 'bin', 'toolfold.js');
    assert.match(run(process.execPath, [bin, '--help'], folder), /inspect/);
  });

  test('it holds no sources, tests or dotfiles', () => {
    const files = run(
      'find',
      [join(folder, 'app', 'node_modules', 'toolfold'), '-type', 'f'],
      folder,
    )
      .trim()
      .split('\n');
    const odd = files.filter((file) =>
      /\/(src|test|bench|examples)\/|\.test\.|test-support|\/\.[^/]+$/.test(
        file.split('/node_modules/toolfold')[1] ?? '',
      ),
    );
    assert.deepEqual(odd, []);
  });
});
