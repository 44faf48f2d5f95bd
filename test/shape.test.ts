import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { root, trackedFiles } from './tree.ts';

const sources = trackedFiles('src/', '.ts');
const isTest = (file: string) => /\.test(-support)?\.ts$/.test(file);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The rooms below all surfaces for users. */
const BELOW_THE_SURFACES = [
  'agent',
  'config',
  'tools',
  'host',
  'models',
  'mcp',
  'sessions',
  'files',
  'ai-sdk',
  'wire',
  'testing',
  'vectors',
];

/**
 * The rooms that each room may import, besides itself and errors.ts. All but the core may import
 * time-limit.ts and version.ts. `index.ts` is not listed.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  tools: [],
  host: ['tools'],
  config: ['tools'],
  files: ['tools'],
  sessions: ['tools', 'files'],
  mcp: ['tools', 'config', 'files'],
  models: ['tools'],
  vectors: ['tools'],
  'ai-sdk': ['tools', 'host', 'models', 'config', 'vectors'],
  wire: ['tools'],
  testing: ['tools', 'wire', 'sessions', 'models'],
  agent: ['tools', 'config', 'host', 'models', 'ai-sdk', 'sessions'],
  app: BELOW_THE_SURFACES,
  chat: [...BELOW_THE_SURFACES, 'app'],
  acp: [...BELOW_THE_SURFACES, 'app'],
  gateway: [...BELOW_THE_SURFACES, 'app'],
  cli: [...BELOW_THE_SURFACES, 'app', 'chat', 'acp', 'gateway'],
};

/** Files beside the rooms that all rooms but the core may import. */
const OUTSIDE_THE_CORE = ['time-limit.ts', 'version.ts'];

/** The libraries that only the room `config` may use: users of other rooms must not load them. */
const LIBRARIES_OF_CONFIG = ['zod', 'jsonc-parser'];

/** The libraries that the core may import. They are small and run on every platform. */
const CORE_LIBRARIES = ['@noble/hashes'];

function importsOf(file: string): string[] {
  const pattern = /(?:from|import)\s*\(?\s*'([^']+)'/g;
  return [...read(file).matchAll(pattern)].map((match) => match[1] ?? '');
}

function resolve(file: string, specifier: string): string {
  return relative(root, join(root, dirname(file), specifier));
}

/** Whether a file is `src/index.ts`, above all rooms, or `src/errors.ts`, below them. */
const isAtTop = (file: string) => dirname(file) === 'src';

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

describe('shape', () => {
  test('rooms import only rooms below them', () => {
    for (const file of sources.filter((name) => !isTest(name))) {
      const room = file.split('/')[1] ?? '';
      const allowed = MAY_IMPORT[room];
      if (!allowed) continue;
      for (const specifier of importsOf(file).filter((name) => name.startsWith('.'))) {
        const target = resolve(file, specifier).split('/')[1] ?? '';
        const isForAll =
          target === 'errors.ts' || (OUTSIDE_THE_CORE.includes(target) && room !== 'tools');
        const isFine = target === room || isForAll || allowed.includes(target);
        assert.ok(isFine, `${file} imports ${specifier}`);
      }
    }
  });

  test('the core has no I/O, no Node and no SDK', () => {
    for (const file of sources.filter((name) => name.startsWith('src/tools/') && !isTest(name))) {
      for (const specifier of importsOf(file).filter((name) => !name.startsWith('.'))) {
        const isFine = CORE_LIBRARIES.some(
          (name) => specifier === name || specifier.startsWith(`${name}/`),
        );
        assert.ok(isFine, `${file} imports ${specifier}`);
      }
      assert.doesNotMatch(read(file), /\b(process\.|fetch\(|setTimeout\(|console\.)/, file);
    }
  });

  test('only the room `config` imports the schema libraries', () => {
    for (const file of sources.filter((name) => !isTest(name))) {
      const isConfig = file.startsWith('src/config/');
      for (const specifier of importsOf(file)) {
        if (isConfig) continue;
        assert.ok(!LIBRARIES_OF_CONFIG.includes(specifier), `${file} imports ${specifier}`);
      }
    }
  });

  test('the core and the AI SDK adapter load no schema library', () => {
    const open = ['src/index.ts', 'src/ai-sdk/index.ts', 'src/models/index.ts'];
    const reached = new Set(open);
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      const text = read(file).replace(/(?:import|export) type [^;]+;/g, '');
      for (const [, specifier = ''] of text.matchAll(/from '([^']+)'/g)) {
        assert.ok(!LIBRARIES_OF_CONFIG.includes(specifier), `${file} imports ${specifier}`);
        const target = specifier.startsWith('.') ? resolve(file, specifier) : undefined;
        if (target === undefined || reached.has(target)) continue;
        reached.add(target);
        open.push(target);
      }
    }
    assert.ok(reached.size > 100);
  });

  test('imports form no cycle between files or rooms, type imports included', () => {
    const files = new Map<string, Set<string>>();
    const rooms = new Map<string, Set<string>>();
    for (const file of sources.filter((name) => !isTest(name))) {
      const targets = importsOf(file)
        .filter((name) => name.startsWith('.'))
        .map((name) => resolve(file, name));
      files.set(file, new Set(targets));
      const beside = targets.filter((target) => !isAtTop(target)).map((target) => dirname(target));
      const room = rooms.get(dirname(file)) ?? new Set<string>();
      rooms.set(dirname(file), room);
      for (const target of beside) if (target !== dirname(file)) room.add(target);
    }
    for (const graph of [files, rooms]) assert.deepEqual(cycleIn(graph), undefined);
  });

  test('a room is imported only through its index.ts', () => {
    for (const file of sources.filter((name) => !isTest(name))) {
      for (const specifier of importsOf(file).filter((name) => name.startsWith('.'))) {
        const target = resolve(file, specifier);
        if (isAtTop(target) || dirname(target) === dirname(file)) continue;
        // Commands load their modules when they run.
        if (read(file).includes(`import('${specifier}')`)) continue;
        assert.match(target, /\/index\.ts$/, `${file} imports ${specifier}`);
      }
    }
  });

  test('a room holds at most 15 files beside its tests', () => {
    const rooms = new Map<string, number>();
    for (const file of sources.filter((name) => !isTest(name) && !name.endsWith('/index.ts')))
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

  test('no any, enum, default export or non-null assertion in src', () => {
    for (const file of sources.filter((name) => !isTest(name))) {
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
      assert.doesNotMatch(read(file), /registry\.npmjs|\/work\/(main|shared)|"resolved"/, file);
    }
  });
});
