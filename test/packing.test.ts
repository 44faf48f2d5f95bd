import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { LIBRARIES_AT_START, loadedLibraries } from './loaded-libraries.ts';
import {
  assertRuns,
  checkTypes,
  installStrictly,
  linkModules,
  RESOLUTIONS,
  runCommands,
  runPrograms,
  writeSnippets,
} from './snippet-project.ts';
import { documents, fileOf, isProgram, snippetsOf } from './snippets.ts';
import { root } from './tree.ts';

/** The names that each entry exports at run time. A change here changes the public interface. */
const EXPORTS: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('./exports.json', import.meta.url), 'utf8'),
);

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const snippets = documents.flatMap(snippetsOf);
/** Bytes of the unpacked package at most, as npm counts them. More than half are the word vectors. */
const MOST = 7_000_000;

let folder = '';
let unpackedSize = 0;
const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

describe('the packed tarball', () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolfold-pack-'));
    // As before publishing, but without checking the types of the sources again.
    assert.equal(manifest.scripts.prepack, 'npm run build');
    run('npm', ['run', '--silent', 'build', '--', '--noCheck'], root);
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    // A list, or an object by name in newer versions of npm.
    const [packed] = Object.values<{ filename: string; unpackedSize: number }>(
      JSON.parse(run('npm', args, root)),
    );
    assert.ok(packed);
    unpackedSize = packed.unpackedSize;
    run('tar', ['xzf', packed.filename], folder);
    // As after an installation: the package comes from the tarball, all other packages from the checkout.
    linkModules(join(folder, 'app'));
    run('mv', [join(folder, 'package'), join(folder, 'app', 'node_modules', 'toolfold')], folder);
    writeSnippets(join(folder, 'app'), snippets);
    const apps = join(root, 'test', 'consumer');
    cpSync(join(apps, 'server-app.ts'), join(folder, 'app', 'server-app.ts'));
    // Somebody who has little beside the package.
    cpSync(join(apps, 'chat-app.ts'), join(folder, 'alone', 'chat-app.ts'));
    writeFileSync(join(folder, 'alone', 'package.json'), '{"type":"module"}');
    const installed = join(folder, 'app', 'node_modules', 'toolfold');
    installStrictly(join(folder, 'alone'), installed, ['ai', 'zod']);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('every subpath can be imported and exports exactly the listed names', () => {
    const subpaths = Object.keys(manifest.exports).filter((path) => !/\.(?:json|bin)$/.test(path));
    assert.deepEqual(subpaths, Object.keys(EXPORTS));
    const specifiers = subpaths.map((path) => `toolfold${path.slice(1)}`);
    const script = `const names = {};
      for (const specifier of ${JSON.stringify(specifiers)})
        names[specifier] = Object.keys(await import(specifier)).sort();
      console.log(JSON.stringify(names));`;
    const options = ['--input-type=module', '--eval', script];
    const names = JSON.parse(run(process.execPath, options, join(folder, 'app')));
    for (const [at, specifier] of specifiers.entries())
      assert.deepEqual(names[specifier], EXPORTS[subpaths[at] ?? ''], specifier);
  });

  test('it contains the JSON Schema of the configuration', () => {
    const script = `console.log(import.meta.resolve('toolfold/schema.json'))`;
    const options = ['--input-type=module', '--eval', script];
    const url = run(process.execPath, options, join(folder, 'app')).trim();
    const { properties } = JSON.parse(readFileSync(new URL(url), 'utf8'));
    assert.deepEqual(Object.keys(properties), ['toolfold']);
  });

  test('the table of word vectors can be read from it', () => {
    const script = `import { readFileSync } from 'node:fs';
      const { readVectors } = await import('toolfold/vectors');
      const bytes = readFileSync(new URL(import.meta.resolve('toolfold/word-vectors.bin')));
      const same = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
      console.log(readVectors(bytes).dimensions, readVectors(same).dimensions);`;
    const options = ['--input-type=module', '--eval', script];
    assert.equal(run(process.execPath, options, join(folder, 'app')).trim(), '96 96');
  });

  for (const module of Object.keys(RESOLUTIONS)) {
    const how = `with strict options, ${module} and ${RESOLUTIONS[module]}`;
    test(`programs and apps compile with its types ${how}`, { timeout: 120_000 }, async () => {
      const programs = snippets
        .filter(isProgram)
        .map((snippet) => join('app', snippet.page, fileOf(snippet)));
      const files = ['app/server-app.ts', 'alone/chat-app.ts', ...programs];
      assert.deepEqual(await checkTypes(folder, files, module), []);
    });
  }

  test('the command runs', () => {
    const bin = join(folder, 'app', 'node_modules', 'toolfold', 'bin', 'toolfold.js');
    assert.match(run(process.execPath, [bin, '--help'], folder), /inspect/);
    for (const [args, libraries] of LIBRARIES_AT_START)
      assert.deepEqual(loadedLibraries(bin, args), libraries, args.join(' '));
    const ofSettings = loadedLibraries(bin, ['list', '--help']);
    assert.ok(ofSettings.includes('jsonc-parser') && !ofSettings.includes('zod'), 'zod is inside');
  });

  test('every program of the documents runs with it', { timeout: 300_000 }, async () => {
    assertRuns(await runPrograms(join(folder, 'app'), snippets), snippets);
  });

  test('every command of the documents runs with it', { timeout: 300_000 }, async () => {
    assertRuns(await runCommands(join(folder, 'app'), snippets), snippets);
  });

  test('it is small', () => {
    assert.ok(unpackedSize <= MOST, `${unpackedSize} bytes`);
  });

  test('it contains no sources, maps, tests, pages for contributors or dotfiles', () => {
    const files = run(
      'find',
      [join(folder, 'app', 'node_modules', 'toolfold'), '-type', 'f'],
      folder,
    )
      .trim()
      .split('\n');
    const odd = files.filter((file) =>
      /\/(src|test|bench|examples|contributing)\/|\.map$|\.test\.|test-support|\/\.[^/]+$/.test(
        file.split('/node_modules/toolfold')[1] ?? '',
      ),
    );
    assert.deepEqual(odd, []);
  });
});
