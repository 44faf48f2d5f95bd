import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { packages } from '../scripts/packages.ts';

/** A file of a bundle. */
export interface Chunk {
  readonly name: string;
  /** Gzipped size in bytes, as all sizes here. */
  readonly size: number;
  readonly contents: Uint8Array;
}

/** An app's bundle. Its dependencies are external. */
export interface Bundle {
  /** The chunks that the app loads at start: the entry and its static imports. */
  readonly first: readonly Chunk[];
  /** The chunks that are loaded on first use. */
  readonly later: readonly Chunk[];
  /** Packages that the first chunks load with themselves, and packages that only later chunks do. */
  readonly firstImports: readonly string[];
  readonly laterImports: readonly string[];
}

const root = new URL('..', import.meta.url).pathname;

/** What a package needs beside its own code: the packages that it names, and Node. */
function dependenciesOf(manifest: string): string[] {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(new URL(manifest, import.meta.url), 'utf8'),
  );
  const names = Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (name) => !name.startsWith('@toolfold/'),
  );
  return ['node:*', ...names.flatMap((name) => [name, `${name}/*`])];
}

const gzipped = (contents: Uint8Array) => gzipSync(contents, { level: 9 }).length;

const options = {
  bundle: true,
  write: false,
  minify: true,
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  outdir: 'bundle',
  metafile: true,
  // Chunks of the built package are imported for their order only, which is a warning outside node_modules.
  logLevel: 'error',
} as const;
const mainFields = ['module', 'main'];

/** Bundles the core as in an app that creates a tool layer. */
export function bundleCore(): Promise<Bundle> {
  return bundleOf("export { createToolLayer } from '@toolfold/core'");
}

/** Bundles what an app may import from a subpath, from the built packages. The code of all of them counts. */
export function bundleSubpath(specifier: string): Promise<Bundle> {
  return bundleOf(`export * from '${specifier}'`, undefined, join(root, 'out'));
}

/** Bundles another package in the same way. The code of `parts`, packages that it imports, counts as its own. */
export function bundlePackage(name: string, parts: readonly string[] = []): Promise<Bundle> {
  const own = [name, ...parts];
  const external = own.flatMap((one) => dependenciesOf(`../node_modules/${one}/package.json`));
  const others = external.filter((path) => !own.some((one) => path.startsWith(one)));
  return bundleOf(`export * from '${name}'`, others);
}

async function bundleOf(
  contents: string,
  external: string[] = packages().flatMap(([folder]) =>
    dependenciesOf(`../${folder}/package.json`),
  ),
  resolveDir: string = root,
): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    ...options,
    mainFields,
    stdin: { contents, resolveDir },
    external,
    conditions: ['import'],
  });
  const chunks = new Map(
    outputFiles.map(({ path, contents }) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      return [name, { name, size: gzipped(contents), contents }] as const;
    }),
  );
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [
      path.slice(path.lastIndexOf('/') + 1),
      output,
    ]),
  );
  const first = reachable(outputs);
  const named = (isFirst: boolean) =>
    [...chunks.values()].filter(({ name }) => first.has(name) === isFirst);
  const importsOf = (some: readonly Chunk[]) => {
    const imports = some.flatMap(({ name }) => outputs.get(name)?.imports ?? []);
    const isStatic = (one: (typeof imports)[number]) =>
      one.external === true && one.kind === 'import-statement';
    return [...new Set(imports.filter(isStatic).map(({ path }) => path))].sort();
  };
  const firstImports = importsOf(named(true));
  return {
    first: named(true),
    later: named(false),
    firstImports,
    laterImports: importsOf(named(false)).filter((path) => !firstImports.includes(path)),
  };
}

/** The size of one import from a dependency, bundled alone. */
export async function sizeOfImport(specifier: string): Promise<number> {
  const stdin = { contents: `export * from '${specifier}'`, resolveDir: root };
  const { outputFiles } = await build({ ...options, mainFields, stdin, conditions: ['import'] });
  return outputFiles.reduce((sum, { contents }) => sum + gzipped(contents), 0);
}

/** The entry and its direct and indirect static imports. */
function reachable(outputs: ReadonlyMap<string, Metafile['outputs'][string]>): Set<string> {
  const entry = [...outputs].find(([, { entryPoint }]) => entryPoint === '<stdin>');
  const open = entry ? [entry[0]] : [];
  const found = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    for (const { path, kind, external } of outputs.get(name)?.imports ?? [])
      if (kind === 'import-statement' && !external)
        open.push(path.slice(path.lastIndexOf('/') + 1));
  }
  return found;
}
