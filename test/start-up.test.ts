import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  LIBRARIES_AT_FIRST_FRAME,
  LIBRARIES_AT_START,
  librariesAtFirstFrame,
  loadedLibraries,
  loadedModules,
} from './loaded-libraries.ts';
import { root } from './tree.ts';

describe('the command line loads', () => {
  for (const [args, libraries] of LIBRARIES_AT_START) {
    const what = libraries.length > 0 ? libraries.join(' and ') : 'no library';
    test(`${what} for ${args.join(' ')}`, () => {
      assert.deepEqual(
        loadedLibraries(join(root, 'packages/toolfold/bin/toolfold.js'), args),
        libraries,
      );
    });
  }

  test('only what draws the chat before its first frame', () => {
    const loaded = librariesAtFirstFrame(join(root, 'packages/toolfold/bin/toolfold.js'));
    assert.deepEqual(loaded, LIBRARIES_AT_FIRST_FRAME);
  });

  test('no HTTP of Node for a gateway on stdin, which with `fetch` is a tenth of its start', () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolfold-'));
    try {
      const config = join(folder, 'mcp.json');
      writeFileSync(config, '{ "mcpServers": { "odd": { "command": "odd" } } }');
      const loaded = loadedModules(join(root, 'packages/toolfold/bin/toolfold.js'), [
        'serve',
        '--config',
        config,
      ]);
      const isGateway = loaded.some((module) => module.endsWith('/gateway.ts'));
      assert.ok(isGateway && !loaded.includes('node:http'), loaded.join('\n'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('the SDKs and the schemas of settings where a command needs them', () => {
    const loaded = loadedLibraries(join(root, 'packages/toolfold/bin/toolfold.js'), [
      'list',
      '--help',
    ]);
    assert.ok(loaded.includes('zod') && !loaded.includes('ai'), loaded.join());
  });
});
