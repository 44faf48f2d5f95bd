/**
 * Measures what an installation of the packed package weighs for an app and for the command, with
 * the required peers and without them, in empty folders. Needs a registry. Builds the package first.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const { peerDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const required = Object.keys(peerDependencies).filter((name) => !(name in peerDependenciesMeta));
const folder = mkdtempSync(join(tmpdir(), 'toolfold-install-'));

const APPS: Readonly<Record<string, readonly string[]>> = {
  'the core alone': [],
  'an app on the AI SDK': ['ai', 'zod', '@ai-sdk/anthropic'],
  'the same with MCP servers': ['ai', 'zod', '@ai-sdk/anthropic', '@modelcontextprotocol/client'],
};

try {
  const args = ['pack', '--json', '--pack-destination', folder];
  const packed: unknown = JSON.parse(run('npm', args, root).replace(/^[^[{]*/s, ''));
  const [{ filename }] = Object.values(packed as Record<string, { filename: string }>) as [
    { filename: string },
  ];
  const tarball = join(folder, filename);
  console.log(`Required peers: ${required.join(', ')}`);
  for (const [what, packages] of Object.entries(APPS)) {
    console.log(`  ${what}: ${installed([tarball, ...packages])}`);
    console.log(`  ${what}, --omit=peer: ${installed([tarball, ...packages, '--omit=peer'])}`);
  }
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/main.ts'],
    external: Object.keys(peerDependenciesMeta),
    outdir: join(folder, 'bundle'),
    ...{ bundle: true, splitting: true, minify: true, metafile: true, format: 'esm' },
    ...{ platform: 'node', logLevel: 'silent' },
  });
  const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  console.log(`  the command bundled with all it needs, minified: ${megabytes(bytes)}`);
} finally {
  rmSync(folder, { recursive: true });
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
