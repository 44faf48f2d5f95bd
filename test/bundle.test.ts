import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Bundle, bundleCore } from '../bench/core-size.ts';
import type { createToolLayer } from '../packages/core/src/index.ts';
import { root } from './tree.ts';

/** Bytes of the core's own code, minified and gzipped, that an app loads to create a tool layer. */
const MOST = 38_700;

const group = {
  groupId: 'mcp:a',
  toolNames: ['one'],
  loader: async () => [
    { name: 'one', inputSchema: { type: 'object', required: ['id'], properties: { id: {} } } },
  ],
};

suite('a bundle of the core', () => {
  let bundle: Bundle;
  let folder = '';

  /** The bundle as an app would have it, without the chunks whose names begin so. */
  async function unpack(place: string, without?: string): Promise<typeof createToolLayer> {
    const home = mkdtempSync(join(folder, place));
    symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
    writeFileSync(join(home, 'package.json'), '{"type":"module"}');
    for (const { name, contents } of [...bundle.first, ...bundle.later]) {
      writeFileSync(join(home, name), contents);
      if (without !== undefined && name.startsWith(without)) unlinkSync(join(home, name));
    }
    const entry = await import(pathToFileURL(join(home, 'stdin.js')).href);
    return entry.createToolLayer;
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'toolfold-bundle-'));
    bundle = await bundleCore();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('loads little at once, and of other packages only what makes hashes', () => {
    const size = bundle.first.reduce((sum, chunk) => sum + chunk.size, 0);
    assert.ok(size <= MOST, `${size} bytes`);
    assert.deepEqual(bundle.firstImports, ['@noble/hashes/sha2.js', '@noble/hashes/utils.js']);
    assert.deepEqual(bundle.laterImports, []);
  });

  test('answers calls, checks arguments and searches with what it loads later', async () => {
    const session = (await unpack('whole'))({ groups: [group], strategy: 'dispatch' }).session();
    session.present([]);
    const route = (name: string, input: object) => session.route({ id: name, name, input });
    const [invalid, ran, found] = await Promise.all([
      route('deferred_tool_call', { tool_name: 'a__one', arguments: {} }),
      route('a__one', { id: 1 }),
      route('tool_search', { query: 'one' }),
    ]);
    assert.equal(invalid.kind === 'answer' && invalid.result.error, 'invalid_arguments');
    assert.equal(ran.kind, 'run');
    assert.match(JSON.stringify(found), /"a__one"/);
  });

  for (const part of ['call', 'json-check']) {
    test(`runs no tool where "${part}" does not load, and says so to the host`, async () => {
      const session = (await unpack(part, part))({ groups: [group] }).session();
      session.present([]);
      const call = { id: '1', name: 'a__one', input: { id: 1 } };
      await assert.rejects(session.route(call), { code: 'missing-dependency' });
    });
  }

  test('loads no search of its own where the app has one', async () => {
    const search = { index: () => {}, search: () => [{ key: 'a__one', score: 1 }] };
    const create = await unpack('search', 'search');
    const options = { groups: [group], strategy: 'dispatch' } as const;
    const find = { id: '1', name: 'tool_search', input: { query: 'something' } };
    const answered = await create({ ...options, search })
      .session()
      .route(find);
    assert.match(JSON.stringify(answered), /"a__one"/);
    await assert.rejects(create(options).session().route(find), { code: 'missing-dependency' });
  });
});
