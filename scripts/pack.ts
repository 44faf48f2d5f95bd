/**
 * Builds all packages and packs each into a tarball in `out`, named after its folder. Prints the line that
 * installs them elsewhere: they depend on each other by exact versions, so they are installed together.
 */
import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packages } from './packages.ts';

const out = join(import.meta.dirname, '..', 'out');

await import('./build.ts');
for (const [folder] of packages()) {
  const name = folder.slice('packages/'.length);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', out];
  const options = { cwd: join(out, name), encoding: 'utf8' } as const;
  // A list, or an object by name in newer versions of npm.
  const [packed] = Object.values<{ filename: string }>(
    JSON.parse(execFileSync('npm', args, options)),
  );
  if (packed === undefined) throw new Error(`npm packed nothing in out/${name}.`);
  renameSync(
    join(out, packed.filename.replace('@', '').replace('/', '-')),
    join(out, `${name}.tgz`),
  );
}
const overrides = Object.fromEntries(
  packages().map(([folder, { name }]) => [
    name,
    `file:${join(out, `${folder.slice('packages/'.length)}.tgz`)}`,
  ]),
);
writeFileSync(join(out, 'overrides.json'), `${JSON.stringify(overrides, null, 2)}\n`);
process.stdout.write(`In another project: npm install ${out}/*.tgz ai@7 zod
pnpm and Yarn ask a registry for what the packages import from each other. Give them out/overrides.json: pnpm as
"overrides" of its pnpm-workspace.yaml, and Yarn as "resolutions" of that project's package.json.
`);
