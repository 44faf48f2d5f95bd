import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
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
    packages: 'external',
    conditions: ['toolfold-source'],
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
    'src/index.ts': ['@noble/hashes'],
    'src/models/index.ts': [],
    'src/vectors/index.ts': [],
    'src/vectors/edge.ts': [],
    'src/ai-sdk/index.ts': ['@noble/hashes', 'ai'],
    'src/agent/index.ts': ['@noble/hashes', 'ai', 'zod'],
  };
  for (const [entry, packages] of Object.entries(expected)) {
    test(`${entry} imports no module of Node`, async () => {
      assert.deepEqual(await importsOf(entry), packages);
    });
  }

  test('bundlers for edge platforms take no table of word vectors', async () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const { workerd, 'edge-light': light, browser } = exports['./vectors'];
    assert.deepEqual([workerd, light, browser], Array(3).fill('./dist/vectors/edge.js'));
    const { outputFiles } = await build({
      entryPoints: ['src/vectors/edge.ts'],
      bundle: true,
      write: false,
      format: 'esm',
      absWorkingDir: root,
    });
    assert.doesNotMatch(outputFiles[0]?.text ?? '', /import\.meta/);
  });

  test('the core runs in a plain JavaScript context', async () => {
    const source = `
      import { createToolLayer } from 'toolfold';
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
      conditions: ['toolfold-source'],
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
