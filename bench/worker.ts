/**
 * Measures bundles for Workers, with all that they need: minified, and gzipped as a platform counts them. From
 * the built packages. Builds them first.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const APP = "export { streamText, tool } from 'ai';";

/** What a Worker imports. */
const WORKERS: Readonly<Record<string, string>> = {
  'the core': "export { createToolLayer } from '@toolfold/core';",
  '`ai`': APP,
  '`ai` and `createFold`': `${APP} export { createFold } from '@toolfold/ai-sdk';`,
  '`ai` and `createAgent`': `${APP} export { createAgent } from '@toolfold/agent';`,
};

const root = join(import.meta.dirname, '..');
execFileSync(process.execPath, ['scripts/build.ts', '--noCheck'], { cwd: root });

console.log('| a Worker with | minified | gzipped |\n|---|--:|--:|');
for (const [what, contents] of Object.entries(WORKERS)) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(root, 'out') },
    conditions: ['workerd', 'worker'],
    // The agent imports Node's modules for its sessions: a Worker has them with the flag `nodejs_compat`.
    external: ['node:*'],
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' },
    logLevel: 'error',
  });
  const bundle = outputFiles[0]?.contents ?? new Uint8Array();
  const sizes = [bundle, gzipSync(bundle, { level: 9 })].map(
    ({ length }) => `${(length / 1000).toFixed(0)} kB`,
  );
  console.log(`| ${[what, ...sizes].join(' | ')} |`);
}
