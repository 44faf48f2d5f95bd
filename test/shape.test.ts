import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { root, trackedFiles } from './tree.ts';

const sources = trackedFiles('src/', '.ts');
const isTest = (file: string) => /\.test(-support)?\.ts$/.test(file);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** What each room may import, besides itself and errors.ts; `testing` and `index.ts` stand outside. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  tools: [],
  host: ['tools'],
  mcp: ['tools'],
  models: ['tools'],
  'ai-sdk': ['tools', 'host', 'models'],
  testing: ['tools'],
  agent: ['tools', 'host', 'models', 'ai-sdk'],
  cli: ['agent', 'tools', 'host', 'models', 'mcp', 'ai-sdk', 'testing'],
};

/** What the core may import from elsewhere: small libraries that run anywhere. */
const CORE_LIBRARIES = ['@cfworker/json-schema', '@noble/hashes'];

function importsOf(file: string): string[] {
  const pattern = /(?:from|import)\s*\(?\s*'([^']+)'/g;
  return [...read(file).matchAll(pattern)].map((match) => match[1] ?? '');
}

function resolve(file: string, specifier: string): string {
  return relative(root, join(root, dirname(file), specifier));
}

describe('shape', () => {
  test('rooms import only what lies below them', () => {
    for (const file of sources.filter((name) => !isTest(name))) {
      const room = file.split('/')[1] ?? '';
      const allowed = MAY_IMPORT[room];
      if (!allowed) continue;
      for (const specifier of importsOf(file).filter((name) => name.startsWith('.'))) {
        const target = resolve(file, specifier).split('/')[1] ?? '';
        const isFine = target === room || target === 'errors.ts' || allowed.includes(target);
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

  test('no file imports itself through others', () => {
    const graph = new Map<string, string[]>();
    for (const file of sources.filter((name) => !isTest(name))) {
      const text = read(file).replace(/(?:import|export) type [^;]+;/g, '');
      const targets = [...text.matchAll(/from '(\.[^']+)'/g)].map((match) =>
        resolve(file, match[1] ?? ''),
      );
      graph.set(file, targets);
    }
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      assert.ok(
        !path.includes(file),
        `cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`,
      );
      if (done.has(file)) return;
      for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of graph.keys()) visit(file, []);
  });

  test('files are small and named for one thing', () => {
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
          !/^(127\.0\.0\.1|localhost|json-schema\.org|.*example\.(com|org|net|test)|.*\.invalid|.*\.test|example)$/i.test(
            host,
          ),
      );
      assert.deepEqual(foreign, [], file);
      assert.doesNotMatch(read(file), /\bhomedir\(\)/, file);
    }
  });

  test('the project speaks of itself alone', () => {
    for (const file of trackedFiles('', '')) {
      if (/\.(png|gif)$/.test(file) || file === 'test/shape.test.ts') continue;
      assert.doesNotMatch(read(file), /registry\.npmjs|\/work\/(main|shared)|"resolved"/, file);
    }
  });
});
