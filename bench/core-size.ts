import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

/** A file of a bundle. */
export interface Chunk {
  readonly name: string;
  /** Gzipped size in bytes, as all sizes here. */
  readonly size: number;
  readonly contents: Uint8Array;
}

export interface CoreBundle {
  /** The chunks that an app with a tool layer loads at start: the entry and its static imports. */
  readonly first: readonly Chunk[];
  /** The chunks that are loaded on first use. */
  readonly later: readonly Chunk[];
  /** Packages that the first chunks import, and packages that only later chunks import. */
  readonly firstImports: readonly string[];
  readonly laterImports: readonly string[];
}

const root = new URL('..', import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const packages = Object.keys(manifest.dependencies);

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
} as const;
const mainFields = ['module', 'main'];

/** Bundles the core as in an app that creates a tool layer. Dependencies are external. */
export async function bundleCore(conditions: string[] = ['toolfold-source']): Promise<CoreBundle> {
  const { outputFiles, metafile } = await build({
    ...options,
    mainFields,
    stdin: { contents: "export { createToolLayer } from 'toolfold'", resolveDir: root },
    external: packages.flatMap((name) => [name, `${name}/*`]),
    conditions: [...conditions, 'import'],
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
    return [...new Set(imports.flatMap(({ path, external }) => (external ? path : [])))].sort();
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
