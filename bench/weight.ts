/**
 * Measures what each subpath of the built packages weighs beside `ai`: the gzipped size of its own code,
 * and how long a fresh process needs to import it; and what the first search of a process takes. Builds the
 * packages first.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packages } from '../scripts/packages.ts';
import { type Bundle, bundlePackage, bundleSubpath, type Chunk } from './core-size.ts';

/** Processes that import each subpath. The order changes from one to the next, so that all share the noise. */
const RUNS = 15;

const root = join(import.meta.dirname, '..');
execFileSync(process.execPath, ['scripts/build.ts', '--noCheck'], { cwd: root });

const subpaths = packages().flatMap(([, { name, exports }]) =>
  Object.keys(exports)
    .filter((path) => !/\*|\.(?:json|bin)$/.test(path))
    .map((path) => `${name}${path.slice(1)}`),
);
const specifiers = [...subpaths, 'ai'];
const times = new Map<string, number[]>(specifiers.map((specifier) => [specifier, []]));
for (let run = 0; run < RUNS; run++)
  for (const specifier of [...specifiers.slice(run), ...specifiers.slice(0, run)])
    times.get(specifier)?.push(importTime(specifier));

console.log('  entry  packages at once  code at once  code later  import');
for (const specifier of specifiers) {
  const isOwn = specifier !== 'ai';
  const bundle = await (isOwn ? bundleSubpath(specifier) : bundlePackage(specifier));
  const median = times.get(specifier)?.toSorted((a, b) => a - b)[RUNS >> 1] ?? 0;
  say(specifier, bundle, `${median.toFixed(0)} ms`);
}
const parts = ['provider', 'provider-utils', 'gateway'].map((name) => `@ai-sdk/${name}`);
say('ai, @ai-sdk/*', await bundlePackage('ai', parts), 'the same');

const WAYS = [
  ['by words', `(await import('@toolfold/core/search')).lexical()`],
  ['with word vectors', `await (await import('@toolfold/core/vectors')).searchWithVectors()`],
] as const;
console.log('');
for (const [way, create] of WAYS) {
  const runs = Array.from({ length: RUNS }, () => firstSearch(create));
  const median = (of: 'ms' | 'bytes') =>
    runs.map((run) => run[of]).toSorted((a, b) => a - b)[RUNS >> 1] ?? 0;
  const megabytes = (median('bytes') / 2 ** 20).toFixed(1);
  console.log(`first search ${way}: ${median('ms').toFixed(0)} ms, ${megabytes} MB`);
}

/** Milliseconds and memory of loading the search and of one search among few tools, in a fresh process. */
function firstSearch(create: string): { readonly ms: number; readonly bytes: number } {
  const script = `
    const used = () => (gc(), process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers);
    const before = used();
    const start = performance.now();
    const search = ${create};
    const tool = (name) => ({ key: name, name, group: 'mail', description: 'Sends and finds mail.' });
    search.index(['send', 'find', 'list', 'read', 'move'].map(tool));
    search.search('write to a colleague', { limit: 5, allows: () => true });
    const ms = performance.now() - start;
    console.log(JSON.stringify({ ms, bytes: used() - before, size: search.compares.length }));`;
  const env = { PATH: process.env.PATH ?? '', NODE_DISABLE_COMPILE_CACHE: '1' };
  const args = ['--expose-gc', '--input-type=module', '--eval', script];
  return JSON.parse(
    execFileSync(process.execPath, args, { cwd: join(root, 'out'), env, encoding: 'utf8' }),
  );
}

function say(what: string, bundle: Bundle, time: string): void {
  const cells = [what, packagesOf(bundle), sizeOf(bundle.first), sizeOf(bundle.later), time];
  console.log(`  ${cells.join('  ')}`);
}

/** Milliseconds from the start of the import to its end, in a fresh process without compiled code. */
function importTime(specifier: string): number {
  const script = `const start = performance.now();
    await import('${specifier}');
    console.log(performance.now() - start);`;
  const env = { PATH: process.env.PATH ?? '', NODE_DISABLE_COMPILE_CACHE: '1' };
  const args = ['--input-type=module', '--eval', script];
  return Number(
    execFileSync(process.execPath, args, { cwd: join(root, 'out'), env, encoding: 'utf8' }),
  );
}

function sizeOf(chunks: readonly Chunk[]): string {
  const bytes = chunks.reduce((sum, { size }) => sum + size, 0);
  return bytes === 0 ? '–' : `${(bytes / 1000).toFixed(1)} kB`;
}

/** The packages that the first chunks import, without Node's modules. */
function packagesOf({ firstImports }: Bundle): string {
  const paths = firstImports.filter((path) => !path.startsWith('node:'));
  const names = paths.map((path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/'));
  return [...new Set(names)].map((name) => `\`${name}\``).join(', ') || '–';
}
