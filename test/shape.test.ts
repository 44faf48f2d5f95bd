import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { VERSION } from '../packages/core/src/version.ts';
import { importsOf, packages, sourcesOf, targetOf } from '../scripts/packages.ts';
import { root, trackedFiles } from './tree.ts';

const sources = trackedFiles('packages/', '.ts');
const isTest = (file: string) => /\.test(-support)?\.ts$/.test(file);
const products = sources.filter((file) => !isTest(file));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The rooms of each package by its folder, in the order of its README: a room may import those before it. */
const rooms: ReadonlyMap<string, readonly string[]> = new Map(
  packages().map(([folder]) => {
    const [, table = ''] = read(`${folder}/README.md`).split('## Rooms');
    return [folder, [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, room = '']) => room)];
  }),
);

/** The rooms of the command's surfaces. No surface imports another, but for the command line, which starts them. */
const SURFACES: readonly RegExp[] = [/^chat/, /^acp/, /^web/];

/** The libraries that only the room `config` may use: users of other rooms must not load them. */
const LIBRARIES_OF_CONFIG = ['zod', 'jsonc-parser'];

/** What of the core reads a file, on platforms that have any, or waits for a time limit of a host. */
const MAY_USE_NODE = /\/(vectors|host|models)(\/|\.ts$)|\/values\/promises\.ts$/;

/** The libraries that the core may import. They are small and run on every platform. */
const CORE_LIBRARIES = ['@noble/hashes'];

/** The files of the workspace that a file imports. */
const targetsOf = (file: string) =>
  importsOf(file)
    .map((specifier) => targetOf(file, specifier))
    .filter((target) => target.startsWith('packages/'));

/** Whether a file lies beside the rooms of its package, such as `errors.ts`. */
const isAtTop = (file: string) => file.split('/').length === 4;

const roomOf = (file: string) => dirname(file).split('/').slice(3).join('/');

const packageOf = (file: string) => file.split('/', 2).join('/');

/** The first path found that leads from a node back to itself. */
function cycleIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle) return cycle;
  }
  return;
}

const names = new Set(packages().map(([, { name }]) => name));

/** The packages that a file finds by name without importing them. */
function resolvedBy(file: string): string[] {
  const found = read(file).matchAll(/import\.meta\.resolve\('([^']+)'\)/g);
  return [...found].map(([, name = '']) => name);
}

describe('shape', () => {
  test('the README of a package names its rooms, and a room imports only rooms before it', () => {
    for (const [folder, names] of rooms) {
      const inside = products.filter((file) => packageOf(file) === folder && !isAtTop(file));
      assert.deepEqual(names.toSorted(), [...new Set(inside.map(roomOf))].sort(), folder);
      for (const file of inside) {
        for (const target of targetsOf(file)) {
          if (packageOf(target) !== folder || isAtTop(target)) continue;
          const isFine = names.indexOf(roomOf(target)) <= names.indexOf(roomOf(file));
          assert.ok(isFine, `${file} imports ${target}`);
        }
      }
    }
  });

  test('no surface of the command imports another', () => {
    for (const file of products.filter((one) => one.startsWith('packages/toolfold/src/'))) {
      const own = SURFACES.find((surface) => surface.test(roomOf(file)));
      for (const target of targetsOf(file)) {
        const other = SURFACES.find((surface) => surface.test(roomOf(target)));
        const isFine = own === undefined || other === undefined || own === other;
        assert.ok(isFine || packageOf(target) !== packageOf(file), `${file} imports ${target}`);
      }
    }
  });

  test('a package imports what it declares, and declares what it imports', () => {
    for (const [folder, manifest] of packages()) {
      const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
      const imported = new Set<string>();
      for (const file of sourcesOf(folder)) {
        for (const specifier of [...importsOf(file), ...resolvedBy(file)]) {
          if (/^[.]|^node:/.test(specifier)) continue;
          const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
          // The core names its own subpath where a file beside the code is found by it.
          if (name === manifest.name) continue;
          assert.ok(declared.includes(name), `${file} imports ${name}`);
          imported.add(name);
        }
      }
      assert.deepEqual(
        declared.filter((name) => !imported.has(name)),
        [],
        folder,
      );
    }
  });

  test('packages form no circle, have one version, and pin each other to it', () => {
    const graph = new Map(
      packages().map(([, { name, dependencies, peerDependencies }]) => [
        name,
        new Set(
          Object.keys({ ...dependencies, ...peerDependencies }).filter((one) => names.has(one)),
        ),
      ]),
    );
    assert.equal(cycleIn(graph), undefined);
    for (const [, { name, version, dependencies, peerDependencies }] of packages()) {
      assert.equal(version, VERSION, name);
      for (const [one, needed] of Object.entries({ ...dependencies, ...peerDependencies }))
        assert.equal(needed, names.has(one) ? VERSION : needed, `${name}: ${one}`);
    }
  });

  test('the core has no I/O, no Node and no SDK', () => {
    for (const file of products.filter(
      (name) => name.startsWith('packages/core/src/') && !MAY_USE_NODE.test(name),
    )) {
      for (const specifier of importsOf(file).filter((name) => !name.startsWith('.'))) {
        const isFine = CORE_LIBRARIES.some(
          (name) => specifier === name || specifier.startsWith(`${name}/`),
        );
        assert.ok(isFine, `${file} imports ${specifier}`);
      }
      assert.doesNotMatch(read(file), /\b(process\.|fetch\(|setTimeout\(|console\.)/, file);
    }
  });

  test('the core and the AI SDK adapter load no schema library', () => {
    const open = ['core/src/index.ts', 'ai-sdk/src/index.ts', 'core/src/models.ts'].map(
      (file) => `packages/${file}`,
    );
    const reached = new Set(open);
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      const text = read(file).replace(/(?:import|export) type [^;]+;/g, '');
      for (const [, specifier = ''] of text.matchAll(/from '([^']+)'/g)) {
        assert.ok(!LIBRARIES_OF_CONFIG.includes(specifier), `${file} imports ${specifier}`);
        const target = targetOf(file, specifier);
        if (!target.startsWith('packages/') || reached.has(target)) continue;
        reached.add(target);
        open.push(target);
      }
    }
    assert.ok(reached.size > 100);
  });

  test('imports form no cycle between files or rooms, type imports included', () => {
    const files = new Map<string, Set<string>>();
    const rooms = new Map<string, Set<string>>();
    for (const file of products) {
      const targets = targetsOf(file);
      files.set(file, new Set(targets));
      const beside = targets.filter((target) => !isAtTop(target)).map((target) => dirname(target));
      const room = rooms.get(dirname(file)) ?? new Set<string>();
      rooms.set(dirname(file), room);
      for (const target of beside) if (target !== dirname(file)) room.add(target);
    }
    for (const graph of [files, rooms]) assert.deepEqual(cycleIn(graph), undefined);
  });

  test('a room is imported only through its index.ts', () => {
    for (const file of products) {
      for (const specifier of importsOf(file)) {
        const target = targetOf(file, specifier);
        if (!target.startsWith('packages/') || isAtTop(target)) continue;
        if (dirname(target) === dirname(file)) continue;
        // Commands load their modules when they run.
        if (read(file).includes(`import('${specifier}')`)) continue;
        assert.match(target, /\/index\.ts$/, `${file} imports ${specifier}`);
      }
    }
  });

  test('a room holds at most 15 files beside its tests', () => {
    const rooms = new Map<string, number>();
    for (const file of products.filter((name) => !name.endsWith('/index.ts')))
      rooms.set(dirname(file), (rooms.get(dirname(file)) ?? 0) + 1);
    for (const [room, files] of rooms) assert.ok(files <= 15, `${room} holds ${files} files`);
  });

  test('files are small and named after one concept', () => {
    for (const file of [...sources, ...trackedFiles('test/', '.ts')]) {
      const lines = read(file).split('\n').length;
      const limit = isTest(file) || file.startsWith('test/') ? 600 : 400;
      assert.ok(lines <= limit, `${file} has ${lines} lines`);
      assert.doesNotMatch(file, /(^|\/)(utils?|helpers?|common|misc|manager)\b/, file);
    }
  });

  test('no any, enum, default export or non-null assertion in packages', () => {
    for (const file of products) {
      const code = read(file).replace(
        /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g,
        '',
      );
      assert.doesNotMatch(code, /:\s*any\b|\bas any\b|<any>/, file);
      assert.doesNotMatch(code, /^\s*(export )?(const )?enum /m, file);
      assert.doesNotMatch(code, /export default/, file);
      assert.doesNotMatch(code, /[\w)\]]!(\.|\[|;|,|\))/, file);
    }
  });

  test('tests touch neither the home folder nor other machines', () => {
    for (const file of [...sources.filter(isTest), ...trackedFiles('test/', '.ts')]) {
      if (file === 'test/shape.test.ts') continue;
      const hosts = [...read(file).matchAll(/https?:\/\/(?:[^@/\s'`"]*@)?([a-z0-9.-]+)/gi)].map(
        (match) => match[1] ?? '',
      );
      const foreign = hosts.filter(
        (host) =>
          !/^(127\.0\.0\.1|localhost|json-schema\.org|conformance-test\.local|.*example\.(com|org|net|test)|.*\.invalid|.*\.test|example)$/i.test(
            host,
          ),
      );
      assert.deepEqual(foreign, [], file);
      assert.doesNotMatch(read(file), /\bhomedir\(\)/, file);
    }
  });

  test('no file mentions the machine it was written on', () => {
    for (const file of trackedFiles('', '')) {
      if (/\.(png|gif|bin)$/.test(file) || file === 'test/shape.test.ts') continue;
      assert.doesNotMatch(
        read(file),
        /registry\.npmjs|\/work\/(main|shared)|"resolved": "(?!packages\/)/,
        file,
      );
    }
  });
});
