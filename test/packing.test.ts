// test: slow, first
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { packages } from '../scripts/packages.ts';
import { LIBRARIES_AT_START, loadedLibraries } from './loaded-libraries.ts';
import {
  assertRuns,
  checkTypes,
  installStrictly,
  RESOLUTIONS,
  runCommands,
  runPrograms,
  writeSnippets,
} from './snippet-project.ts';
import { documents, fileOf, isTyped, snippetsOf } from './snippets.ts';
import { linkModules, root } from './tree.ts';

/** The names that each entry exports at run time. A change here changes the public interface. */
const EXPORTS: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('./exports.json', import.meta.url), 'utf8'),
);

const snippets = documents.flatMap(snippetsOf);
/** Bytes of each unpacked package at most. More than half of the core are the word vectors. */
const MOST: Readonly<Record<string, number>> = {
  '@toolfold/core': 4_500_000,
  '@toolfold/config': 200_000,
  '@toolfold/ai-sdk': 500_000,
  '@toolfold/mcp': 700_000,
  '@toolfold/agent': 900_000,
  '@toolfold/postgres': 60_000,
  '@toolfold/testing': 250_000,
  toolfold: 1_150_000,
};

/** What `npm` says where it reaches no registry. */
const NO_REGISTRY = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT)\b/;

/** The exact versions that an app installs beside the packages: those of the checkout, or the oldest that are allowed. */
function sdkVersions(age: 'oldest' | 'newest'): string[] {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { devDependencies } = read('package.json');
  const { peerDependencies } = read('packages/toolfold/package.json');
  const names = ['ai', '@ai-sdk/openai-compatible'];
  const versions = age === 'newest' ? devDependencies : peerDependencies;
  return names.map((name) => `${name}@${versions[name].replace('^', '')}`);
}

let folder = '';
const modules = () => join(folder, 'app', 'node_modules');
const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

describe('the packed tarballs', () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolfold-pack-'));
    // Without checking the types of the sources again.
    run(process.execPath, ['scripts/pack.ts', '--noCheck'], root);
    // As after an installation: Toolfold's packages come from the tarballs, all others from the checkout.
    linkModules(join(folder, 'app'));
    for (const [place, { name }] of packages()) {
      const tarball = join(root, 'out', `${place.slice('packages/'.length)}.tgz`);
      const to = join(modules(), name);
      mkdirSync(to, { recursive: true });
      run('tar', ['xzf', tarball, '--strip-components=1', '-C', to], folder);
    }
    writeSnippets(join(folder, 'app'), snippets);
    const apps = join(root, 'test', 'consumer');
    cpSync(join(apps, 'server-app.ts'), join(folder, 'app', 'server-app.ts'));
    // Somebody who has little beside the packages.
    cpSync(join(apps, 'chat-app.ts'), join(folder, 'alone', 'chat-app.ts'));
    writeFileSync(join(folder, 'alone', 'package.json'), '{"type":"module"}');
    const wanted = ['core', 'ai-sdk', 'agent', 'mcp', 'testing'].map((one) => `@toolfold/${one}`);
    installStrictly(join(folder, 'alone'), modules(), wanted, ['ai', 'zod']);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('every subpath can be imported, exports exactly the listed names, and can be required', () => {
    const specifiers = packages().flatMap(([, { name, exports }]) =>
      Object.keys(exports)
        .filter((path) => !/\*|\.(?:json|bin)$/.test(path))
        .map((path) => `${name}${path.slice(1)}`),
    );
    assert.deepEqual(specifiers.toSorted(), Object.keys(EXPORTS).toSorted());
    const script = `const names = {};
      for (const specifier of ${JSON.stringify(specifiers)})
        names[specifier] = Object.keys(await import(specifier)).sort();
      console.log(JSON.stringify(names));`;
    const options = ['--input-type=module', '--eval', script];
    const names = JSON.parse(run(process.execPath, options, join(folder, 'app')));
    for (const specifier of specifiers)
      assert.deepEqual(names[specifier], EXPORTS[specifier], specifier);
    const required = `for (const one of ${JSON.stringify(specifiers)}) require(one);`;
    run(process.execPath, ['--input-type=commonjs', '--eval', required], join(folder, 'app'));
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
      const { readVectors } = await import('@toolfold/core/vectors');
      const bytes = readFileSync(new URL(import.meta.resolve('@toolfold/core/word-vectors.bin')));
      const same = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
      console.log(readVectors(bytes).dimensions, readVectors(same).dimensions);`;
    const options = ['--input-type=module', '--eval', script];
    assert.equal(run(process.execPath, options, join(folder, 'app')).trim(), '96 96');
  });

  for (const module of Object.keys(RESOLUTIONS)) {
    const how = `with strict options, ${module} and ${RESOLUTIONS[module]}`;
    test(`programs and apps compile with its types ${how}`, { timeout: 120_000 }, async () => {
      const programs = snippets
        .filter(isTyped)
        .map((snippet) => join('app', snippet.page, fileOf(snippet)));
      const files = ['app/server-app.ts', 'alone/chat-app.ts', ...programs];
      assert.deepEqual(await checkTypes(folder, files, module), []);
    });
  }

  for (const age of ['oldest', 'newest'] as const) {
    const versions = sdkVersions(age);
    test(`npm installs it with the ${age} ${versions.join(' and ')}, types compile, and apps run without and with the agent`, {
      timeout: 300_000,
    }, async (context) => {
      const home = join(folder, age);
      mkdirSync(home);
      writeFileSync(join(home, 'package.json'), '{"type":"module"}');
      const tarball = (name: string) => join(root, 'out', `${name}.tgz`);
      // Without a registry npm reports a conflict of versions, so it is asked for one of them first.
      const npm = (...line: string[]) =>
        promisify(execFile)('npm', [...line, '--fetch-retries=0'], { cwd: home }).then(
          () => '',
          (error: { stderr?: string; message: string }) => error.stderr || error.message,
        );
      const [code] = NO_REGISTRY.exec(await npm('view', ...versions.slice(0, 1), 'version')) ?? [];
      if (code !== undefined) return context.skip(`npm reaches no registry: ${code}`);
      const install = async (...what: readonly string[]) => {
        const options = ['--save-exact', '--no-audit', '--no-fund', '--prefer-offline'];
        assert.equal(await npm('install', ...options, ...what), '');
      };
      const runApp = async (app: string) => {
        cpSync(join(root, 'test', 'consumer', app), join(home, app));
        assert.deepEqual(await checkTypes(home, [app], 'node16'), []);
        return run(process.execPath, [app], home).trim().split('\n');
      };
      const adapter = ['core', 'config', 'ai-sdk', 'testing'].map(tarball);
      await install(...adapter, 'zod', ...versions);
      assert.ok(!existsSync(join(home, 'node_modules/@toolfold/agent')));
      assert.deepEqual(await runApp('bridge-app.ts'), [
        "approve find_customer { name: 'Ada' }",
        'text ',
        "result { name: 'Ada', since: 1843 }",
        'text Since 1843.',
      ]);
      await install(tarball('agent'));
      assert.deepEqual(await runApp('agent-app.ts'), ['agent done']);
    });
  }

  test('the command runs', () => {
    const bin = join(modules(), 'toolfold/bin/toolfold.js');
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

  for (const [name, most] of Object.entries(MOST))
    test(`${name} is small, and contains no sources, maps, tests or dotfiles`, () => {
      const place = join(modules(), name);
      const files = readdirSync(place, { recursive: true, encoding: 'utf8' });
      const odd = files.filter((file) =>
        /(^|\/)(src|test|bench|examples|contributing|node_modules)\/|\.map$|\.test\.|test-support|(^|\/)\.[^/]+$/.test(
          file,
        ),
      );
      assert.deepEqual(odd, []);
      const size = files.reduce((sum, file) => {
        const stat = statSync(join(place, file));
        return stat.isFile() ? sum + stat.size : sum;
      }, 0);
      assert.ok(size <= most, `${size} bytes`);
    });
});
