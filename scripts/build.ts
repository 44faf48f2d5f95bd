/**
 * Writes `dist`, which the package contains. The code of all entries and of the command is bundled
 * together, so that what two of them share is there once, and Node loads tens of files instead of
 * hundreds. Names stay, and only the parts of a library are minified. Declarations are the compiler's; those that no entry's
 * declarations reach are left out. Run by `npm run build`; arguments go to the compiler.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, transform } from 'esbuild';

const root = join(import.meta.dirname, '..');
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries: { readonly 'toolfold-source': string; readonly types: string }[] = Object.values<
  string | { readonly 'toolfold-source': string; readonly types: string }
>(exports).filter((entry) => typeof entry === 'object');

rmSync(join(root, 'dist'), { recursive: true, force: true });
const compiler = ['-p', 'tsconfig.build.json', ...process.argv.slice(2)];
execFileSync(join(root, 'node_modules/.bin/tsc'), compiler, { cwd: root, stdio: 'inherit' });
await bundle();
copyFileSync(
  join(root, 'src/vectors/word-vectors.bin'),
  join(root, 'dist/vectors/word-vectors.bin'),
);
// Its licence goes with the parts of a library that the package contains.
copyFileSync(join(root, 'node_modules/zod/LICENSE'), join(root, 'dist/config/schemas/LICENSE'));
removeUnreached();

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
      onResolve({ filter: /\/vectors\/index\.ts$/ }, ({ kind }) =>
        kind === 'entry-point' ? undefined : { path: 'toolfold/vectors', external: true },
      );
    },
  };
}

async function bundle(): Promise<void> {
  const sources = entries.map((entry) => entry['toolfold-source'].slice('./src/'.length));
  // The schemas become an entry so that they are a file of their own.
  const others = ['files/user-folder.ts', 'vectors/edge.ts', 'config/schemas/index.ts'];
  const names = [...sources, ...others].map((name) => name.replace(/\.ts$/, ''));
  const entryPoints = Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...entryPoints, 'command/main': 'src/cli/main.ts' },
    outdir: 'dist',
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
    await shorten(join(root, file), Object.keys(inputs));
}

/** Removes comments that name sources, which are not in the package, and what libraries do not need. */
async function shorten(file: string, inputs: readonly string[]): Promise<void> {
  const text = readFileSync(file, 'utf8').replace(/^\/\/ src\/\S+\.ts\n/gm, '');
  const isLibrary = inputs.some((input) => input.includes('node_modules/'));
  const { code } = isLibrary ? await transform(text, { minify: true }) : { code: text };
  writeFileSync(file, code);
}

/** Removes the declarations that nobody who imports an entry can see. */
function removeUnreached(): void {
  const open = entries.map(({ types }) => join(root, types));
  const reached = new Set(open);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const text = readFileSync(file, 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const target = join(dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts'));
      if (!existsSync(target)) throw new Error(`${file} imports ${specifier}, which is missing.`);
      if (reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  for (const file of globSync(join(root, 'dist/**/*.d.ts'))) if (!reached.has(file)) rmSync(file);
}
