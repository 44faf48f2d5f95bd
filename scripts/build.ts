/**
 * Writes `out`: each package as it is published. The code of a package is bundled, so that what two of its
 * entries share is there once, and Node loads tens of files instead of hundreds. Its entries are the
 * public subpaths and what other packages import from it. Names stay; only what comes from a library is
 * minified. Declarations are the compiler's, without those that no entry reaches. Run by
 * `npm run build`; arguments go to the compiler.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, transform } from 'esbuild';
import {
  entriesOf,
  internalImports,
  type Manifest,
  packages,
  sourceOf,
  type Target,
} from './packages.ts';

const root = join(import.meta.dirname, '..');
const out = join(root, 'out');
const types = join(out, 'types');

rmSync(out, { recursive: true, force: true });
const compiler = ['-p', 'tsconfig.build.json', ...process.argv.slice(2)];
execFileSync(join(root, 'node_modules/.bin/tsc'), compiler, { cwd: root, stdio: 'inherit' });
execFileSync('npm', ['run', '--silent', 'build:page'], { cwd: root, stdio: 'inherit' });
copyDeclarations();
const imports = internalImports();
for (const [folder, manifest] of packages()) {
  const published = publishedManifest(folder, manifest, imports.get(manifest.name) ?? []);
  await bundle(folder, published);
  copyOthers(folder, published);
}
rmSync(types, { recursive: true });
linkEachOther();

/** The manifest of the published package: its exports name what was built from the sources. */
function publishedManifest(
  folder: string,
  manifest: Manifest,
  internal: readonly string[],
): Manifest {
  const shown = Object.entries(manifest.exports).filter(([path]) => !path.includes('*'));
  const used = internal.map((path): [string, Target] => [path, sourceOf(manifest, path)]);
  const exports = Object.fromEntries(
    [...shown, ...used].map(([path, target]) => [path, publishedTarget(folder, target)]),
  );
  return { ...manifest, exports };
}

function publishedTarget(folder: string, target: Target): Target {
  if (typeof target === 'string' && !target.endsWith('.ts'))
    return target.replace('./src/', './dist/');
  const conditions = typeof target === 'string' ? { default: target } : target;
  const built = Object.entries(conditions).map(([condition, source]) => [
    condition,
    source.replace(/^\.\/src\/(.*)\.ts$/, './dist/$1.js'),
  ]);
  const { default: main } = Object.fromEntries(built);
  const types = main.replace(/\.js$/, '.d.ts');
  const isDeclared = existsSync(join(outOf(folder), types));
  return { ...(isDeclared ? { types } : {}), ...Object.fromEntries(built) };
}

/**
 * The used parts of the schema library become part of the package. Node would load all files of the library,
 * most of them messages in other languages. Other libraries stay packages of their own.
 */
function schemas(): Plugin {
  const zod = fileURLToPath(import.meta.resolve('zod/mini'));
  return {
    name: 'schemas',
    setup: ({ onResolve }) => onResolve({ filter: /^zod\/mini$/ }, () => ({ path: zod })),
  };
}

/** The vectors read a file beside their own, so others import them by the name of the package. */
function vectors(): Plugin {
  return {
    name: 'vectors',
    setup({ onResolve }) {
      onResolve({ filter: /\/vectors\.ts$/ }, ({ kind }) =>
        kind === 'entry-point' ? undefined : { path: '@toolfold/core/vectors', external: true },
      );
    },
  };
}

async function bundle(folder: string, { exports, bin }: Manifest): Promise<void> {
  const files = entriesOf(exports).map((file) => file.slice('./dist/'.length, -'.js'.length));
  if (bin) files.push('cli/main');
  // The schemas become an entry so that they are a file of their own.
  if (existsSync(join(root, folder, 'src/schemas.ts'))) files.push('schemas');
  const { metafile } = await build({
    absWorkingDir: join(root, folder),
    entryPoints: Object.fromEntries(files.map((name) => [name, `src/${name}.ts`])),
    outdir: join(outOf(folder), 'dist'),
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.19',
    packages: 'external',
    plugins: [vectors(), schemas()],
    metafile: true,
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'warning',
  });
  for (const [file, { inputs }] of Object.entries(metafile.outputs))
    await shorten(join(root, folder, file), Object.keys(inputs));
}

/** Removes comments that name sources, which are not in the package, and what libraries do not need. */
async function shorten(file: string, inputs: readonly string[]): Promise<void> {
  const text = readFileSync(file, 'utf8').replace(/^\/\/ src\/\S+\.ts\n/gm, '');
  const isLibrary = inputs.some((input) => input.includes('node_modules/'));
  const { code } = isLibrary ? await transform(text, { minify: true }) : { code: text };
  writeFileSync(file, code);
}

/** Copies what is not code: the manifest, the README, the licence, and files that exports name. */
function copyOthers(folder: string, manifest: Manifest): void {
  const to = outOf(folder);
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(root, 'LICENSE'), join(to, 'LICENSE'));
  copyFileSync(join(root, folder, 'README.md'), join(to, 'README.md'));
  for (const target of Object.values(manifest.exports)) {
    if (typeof target !== 'string' || target === './package.json') continue;
    copyFileSync(join(root, folder, target.replace('./dist/', './src/')), join(to, target));
  }
  // Its licence goes with the parts of a library that the package contains.
  const library = join(to, 'dist');
  if (existsSync(join(library, 'schemas.js')))
    copyFileSync(join(root, 'node_modules/zod/LICENSE'), join(library, 'LICENSE'));
  if (!manifest.bin) return;
  for (const name of ['bin', 'page-build'])
    cpSync(join(root, folder, name), join(to, name), { recursive: true });
}

/** Copies the declarations that somebody who imports a public subpath can see. */
function copyDeclarations(): void {
  const all = new Map(packages().map(([folder, { name }]) => [name, folder]));
  const open = packages().flatMap(([folder, { exports }]) =>
    entriesOf(exports).map((file) => declarationOf(folder, file)),
  );
  const reached = new Set(open);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const text = readFileSync(file, 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      const target = declared(file, specifier, all);
      if (target === undefined || reached.has(target)) continue;
      if (!existsSync(target)) throw new Error(`${file} imports ${specifier}, which is missing.`);
      reached.add(target);
      open.push(target);
    }
  }
  for (const file of reached) {
    const [name = '', , ...rest] = relative(types, file).split('/');
    const to = join(out, name, 'dist', ...rest);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(file, to);
  }
}

/** The declarations that an import in declarations names, if they are Toolfold's. */
function declared(
  file: string,
  specifier: string,
  all: ReadonlyMap<string, string>,
): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts'));
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const folder = all.get(name);
  if (folder === undefined) return;
  const manifest: Manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const [source = ''] = entriesOf({ '.': sourceOf(manifest, `.${specifier.slice(name.length)}`) });
  return declarationOf(folder, source);
}

function declarationOf(folder: string, source: string): string {
  return join(types, folder.slice('packages/'.length), source.replace(/\.ts$/, '.d.ts'));
}

/** Makes the built packages find each other, and not the sources, where they are run in place. */
function linkEachOther(): void {
  for (const [folder, { name }] of packages()) {
    const path = join(out, 'node_modules', name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(outOf(folder), path);
  }
}

function outOf(folder: string): string {
  return join(out, folder.slice('packages/'.length));
}
