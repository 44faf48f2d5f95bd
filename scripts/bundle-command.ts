/**
 * Makes `dist/command` of the built command line: a few files instead of hundreds, which Node loads in
 * a fraction of the time. Run by `npm run build`, after the compiler.
 */
import { rmSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';

/** The vectors read a file beside their own, so they stay where they are. */
const vectors: Plugin = {
  name: 'vectors',
  setup({ onResolve }) {
    onResolve({ filter: /\/vectors\/index\.js$/ }, () => ({
      path: 'toolfold/vectors',
      external: true,
    }));
  },
};

await build({
  entryPoints: ['dist/cli/main.js'],
  outdir: 'dist/command',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  packages: 'external',
  plugins: [vectors],
  // Names in messages, such as those of errors, stay.
  keepNames: true,
  legalComments: 'none',
  logLevel: 'warning',
});
rmSync('dist/cli', { recursive: true });
