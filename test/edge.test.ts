import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { packages } from '../scripts/packages.ts';
import { root } from './tree.ts';

/** The packages that a subpath imports; `Node` stands for all modules of Node. */
async function importsOf(entry: string): Promise<readonly string[]> {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    external: packages().flatMap(([, { dependencies, peerDependencies }]) =>
      Object.keys({ ...dependencies, ...peerDependencies })
        .filter((name) => !name.startsWith('@toolfold/'))
        .flatMap((name) => [name, `${name}/*`]),
    ),
    absWorkingDir: root,
  });
  const outside = Object.values(result.metafile.outputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external).map(({ path }) => path),
  );
  const names = outside.map((path) =>
    path.startsWith('node:') ? 'Node' : path.split('/', path[0] === '@' ? 2 : 1).join('/'),
  );
  return [...new Set(names)].sort();
}

describe('the platforms of the subpaths, as in docs/edge.md', () => {
  const expected = {
    'packages/core/src/index.ts': ['@noble/hashes'],
    'packages/core/src/models.ts': [],
    'packages/core/src/vectors.ts': [],
    'packages/core/src/vectors-edge.ts': [],
    'packages/ai-sdk/src/index.ts': ['@noble/hashes', 'ai'],
    'packages/agent/src/index.ts': ['@noble/hashes', 'ai', 'zod'],
  };
  for (const [entry, packages] of Object.entries(expected)) {
    test(`${entry} imports no module of Node`, async () => {
      assert.deepEqual(await importsOf(entry), packages);
    });
  }

  test('bundlers for edge platforms take no table of word vectors', async () => {
    const file = join(root, 'packages/core/package.json');
    const { exports } = JSON.parse(readFileSync(file, 'utf8'));
    const { workerd, 'edge-light': light, browser } = exports['./vectors'];
    assert.deepEqual([workerd, light, browser], Array(3).fill('./src/vectors-edge.ts'));
    const { outputFiles } = await build({
      entryPoints: ['packages/core/src/vectors-edge.ts'],
      bundle: true,
      write: false,
      format: 'esm',
      absWorkingDir: root,
    });
    assert.doesNotMatch(outputFiles[0]?.text ?? '', /import\.meta/);
  });

  test('the core runs in a plain JavaScript context', async () => {
    const source = `
      import { createToolLayer } from '@toolfold/core';
      const loader = async () => [{ name: 'create_issue', inputSchema: { type: 'object' } }];
      const groups = [{ groupId: 'mcp:tracker', toolNames: ['create_issue'], loader }];
      const session = createToolLayer({ strategy: 'dispatch', groups }).session();
      const input = { tool_name: 'create_issue', arguments: {} };
      const system = session.present([{ role: 'user' }]).system;
      done(session.route({ id: '1', name: 'deferred_tool_call', input }).then((route) => [system, route.kind]));
    `;
    const result = await build({
      stdin: { contents: source, resolveDir: root },
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'neutral',
      mainFields: ['module', 'main'],
    });
    const outcome = await new Promise((resolve) => {
      // The web globals that the core and its libraries use, without those of Node.
      const web = { AbortController, AbortSignal, TextEncoder, URL, structuredClone };
      runInNewContext(result.outputFiles[0]?.text ?? '', { ...web, done: resolve });
    });
    const [system, kind] = outcome as [string, string];
    assert.match(system, /create_issue/);
    assert.equal(kind, 'run');
  });
});
