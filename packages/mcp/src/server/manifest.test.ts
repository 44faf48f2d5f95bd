import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ServerEntry } from '../config/config.ts';
import { parseConfig } from '../config/read-config.ts';
import type { ServerListing } from '../connection/listing.ts';
import { type ManifestStore, manifestFiles, manifestKey, manifestOf } from './manifest.ts';

const listing: ServerListing = {
  protocolVersion: '2025-11-25',
  serverInfo: { name: 'n', version: '1' },
  instructions: 'Use it.',
  tools: [{ name: 'a', description: 'x', inputSchema: { type: 'object' }, odd: { z: 1, a: 2 } }],
  duplicates: ['a'],
  warnings: ['w'],
};
const manifest = manifestOf(listing, { kind: 'legacy' }, 1_700_000_000_000);

function entryOf(entry: object, env: Record<string, string> = {}): ServerEntry {
  const text = JSON.stringify({ mcpServers: { s: entry } });
  const found = parseConfig('/p/mcp.json', text, { env, root: '/r' }).servers.get('s');
  return found ?? assert.fail('it has no entry');
}

async function store(
  context: TestContext,
): Promise<{ files: ManifestStore; folder: string; warnings: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const warnings: string[] = [];
  const files = manifestFiles({
    folder: join(folder, 'manifests'),
    onWarning: (text) => warnings.push(text),
  });
  return { files, folder: join(folder, 'manifests'), warnings };
}

const plain = entryOf({ command: 'x' });

test('a manifest is read as it was written, and only the user can read its file', async (context) => {
  const { files, folder, warnings } = await store(context);
  assert.equal(await files.load('s', plain), undefined);
  await files.save('s', plain, manifest);
  assert.deepEqual(JSON.parse(JSON.stringify(await files.load('s', plain))), {
    ...JSON.parse(JSON.stringify(manifest)),
  });
  const [name = ''] = await readdir(folder);
  assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.deepEqual(warnings, []);
});

test('the key follows the entry, and no secret', () => {
  const remote = (token: string, url = 'http://127.0.0.1/x'): ServerEntry =>
    entryOf({ url, headers: { authorization: 'Bearer $' + '{TOKEN}' } }, { TOKEN: token });
  const local = (entry: object): ServerEntry => entryOf({ command: 'x', ...entry });
  const keys = [
    ['s', remote('sk-aaaaaaaaaaaaaaaa')],
    ['s', remote('sk-aaaaaaaaaaaaaaaa', 'http://127.0.0.1/y')],
    ['t', remote('sk-aaaaaaaaaaaaaaaa')],
    ['s', local({})],
    ['s', local({ args: ['1'] })],
    ['s', local({ cwd: '/y' })],
    ['s', local({ env: { MODE: 'one' } })],
    ['s', local({ env: { MODE: 'two' } })],
  ] as const;
  const made = keys.map(([name, entry]) => manifestKey(name, entry));
  assert.equal(new Set(made).size, keys.length);
  assert.equal(manifestKey('s', remote('sk-bbbbbbbbbbbbbbbb')), made[0]);
  assert.equal(manifestKey('s', entryOf({})), undefined);
});

const damages: Record<string, (text: string) => string> = {
  'cut off': (text) => text.slice(0, text.length / 2),
  empty: () => '',
  'no JSON': () => 'hello',
  'a list': () => '[]',
  'another version': (text) => text.replace('"version":1', '"version":2'),
  'another server': (text) => text.replace(/"key":"../, '"key":"zz'),
  'a changed tool': (text) => text.replace('"description":"x"', '"description":"y"'),
  'no tools': (text) => text.replace('"tools"', '"fools"'),
  'no time': (text) => text.replace('"listedAt":1700000000000', '"listedAt":"now"'),
};

for (const [what, damage] of Object.entries(damages)) {
  test(`a manifest that is damaged is absent, and said to be: ${what}`, async (context) => {
    const { files, folder, warnings } = await store(context);
    await files.save('s', plain, manifest);
    const [name = ''] = await readdir(folder);
    const file = join(folder, name);
    const text = await readFile(file, 'utf8');
    assert.notEqual(damage(text), text);
    await writeFile(file, damage(text));
    assert.equal(await files.load('s', plain), undefined);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /tool list of s is not used: .*\./);
    await files.save('s', plain, manifest);
    assert.ok(await files.load('s', plain));
  });
}

test('a list that repeats a secret is not written', async (context) => {
  const { files, folder, warnings } = await store(context);
  const token = 'sk-hunter2hunter2hunter2';
  const entry = entryOf({ command: 'x', env: { API_TOKEN: token } });
  const tools = [{ name: 'a', description: `Uses ${token}.` }];
  await files.save('s', entry, manifestOf({ ...listing, tools }, undefined, 1));
  await assert.rejects(readdir(folder), { code: 'ENOENT' });
  assert.match(warnings.join(), /contains a secret/);
  assert.doesNotMatch(warnings.join(), /hunter2/);
});

test('a folder that cannot be written is said, and nothing fails', async (context) => {
  const { folder } = await store(context);
  const warnings: string[] = [];
  await writeFile(join(folder, '..', 'file'), '');
  const files = manifestFiles({
    folder: join(folder, '..', 'file', 'x'),
    onWarning: (text) => warnings.push(text),
  });
  await files.save('s', plain, manifest);
  assert.equal(await files.load('s', plain), undefined);
  assert.match(warnings.join('\n'), /of s cannot be cached/);
  await chmod(join(folder, '..', 'file'), 0o600);
});
