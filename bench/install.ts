/**
 * Measures what an installation of the packed packages weighs for apps and for the command, in empty
 * folders. Needs a registry. Packs the packages first.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packages } from '../scripts/packages.ts';

const root = join(import.meta.dirname, '..');
/** The packages that are used only where somebody has installed them. */
const OPTIONAL = packages().flatMap(([, { peerDependenciesMeta = {} }]) =>
  Object.keys(peerDependenciesMeta).filter((name) => !name.startsWith('@toolfold/')),
);
const folder = mkdtempSync(join(tmpdir(), 'toolfold-install-'));

/** The packages of Toolfold that each kind of user installs, and what they install beside them. */
const USERS: Readonly<Record<string, readonly [own: string, others: string]>> = {
  'the AI SDK alone': ['', 'ai'],
  'the core alone': ['core', ''],
  'an app on the AI SDK': ['core config ai-sdk', 'ai'],
  'the same with MCP servers': ['core config ai-sdk mcp', 'ai @modelcontextprotocol/client'],
  'the command': ['core config ai-sdk mcp agent testing toolfold', 'ai'],
};

try {
  run(process.execPath, ['scripts/pack.ts', '--noCheck'], root);
  for (const [what, [own, others]] of Object.entries(USERS)) {
    const tarballs = words(own).map((name) => join(root, 'out', `${name}.tgz`));
    console.log(`  ${what}: ${installed([...tarballs, ...words(others)])}`);
  }
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['packages/toolfold/src/cli/main.ts'],
    external: OPTIONAL,
    outdir: join(folder, 'bundle'),
    ...{ bundle: true, splitting: true, minify: true, metafile: true, format: 'esm' },
    ...{ platform: 'node', logLevel: 'silent' },
  });
  const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  console.log(`  the command bundled with all it needs, minified: ${megabytes(bytes)}`);
} finally {
  rmSync(folder, { recursive: true });
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

/** What npm puts into an empty project. */
function installed(what: readonly string[]): string {
  const project = mkdtempSync(join(folder, 'app-'));
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...what], project);
  const files = globSync('node_modules/**/*', { cwd: project }).map((name) => join(project, name));
  const bytes = files.map((file) => statSync(file)).filter((found) => found.isFile());
  const packages = files.filter((file) =>
    /node_modules\/(?:@[^/]+\/)?[^@/][^/]*\/package\.json$/.test(file),
  );
  return `${megabytes(bytes.reduce((sum, { size }) => sum + size, 0))}, ${packages.length} packages`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
