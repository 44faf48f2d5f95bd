import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { StdioServerEntry } from '../config/config.ts';
import { type Manifest, type ManifestStore, manifestFiles, manifestOf } from './manifest.ts';

const entry: StdioServerEntry = {
  kind: 'stdio',
  command: 'server',
  args: ['--key', 'hunter2-hunter2'],
  env: new Map(),
  secrets: ['hunter2-hunter2'],
};

/** Compared without members that are undefined. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const manifestWith = (count: number): Manifest =>
  manifestOf(
    {
      tools: Array.from({ length: count }, (_, n) => ({ name: `tool_${n}`, inputSchema: {} })),
      duplicates: [],
      warnings: [],
    },
    undefined,
    1_700_000_000_000,
  );
const manifest = manifestWith(3);

interface Place {
  readonly folder: string;
  readonly store: ManifestStore;
  readonly warnings: string[];
  /** The file after a first `save`. */
  readonly file: string;
}

async function saved(context: TestContext): Promise<Place> {
  const base = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(base, { recursive: true, force: true }));
  const folder = join(base, 'cache', 'manifests');
  const warnings: string[] = [];
  const store = manifestFiles({ folder, onWarning: (text) => warnings.push(text) });
  await store.save('s', entry, manifest);
  const [name = ''] = await readdir(folder);
  return { folder, store, warnings, file: join(folder, name) };
}

test('a manifest is read as it was written, by another store and with another secret', async (context) => {
  const { folder, file, store } = await saved(context);
  assert.deepEqual(plain(await store.load('s', entry)), plain(manifest));
  const other = { ...entry, args: ['--key', 'other-secret'], secrets: ['other-secret'] };
  assert.deepEqual(plain(await manifestFiles({ folder }).load('s', other)), plain(manifest));
  assert.equal(await store.load('t', entry), undefined);
  assert.equal(await store.load('s', { ...entry, command: 'other' }), undefined);
  assert.doesNotMatch(await readFile(file, 'utf8'), /hunter2/);
  if (process.platform === 'win32') return;
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
});

const damages: Readonly<
  Record<string, readonly [damage: (file: string) => Promise<unknown>, RegExp]>
> = {
  empty: [(file) => truncate(file), /is not JSON/],
  truncated: [(file) => truncate(file, 100), /is not JSON/],
  rubbish: [(file) => writeFile(file, Buffer.from([0, 255, 254, 10])), /is not JSON/],
  'a list': [(file) => writeFile(file, '[]'), /another version/],
  'of a newer version': [(file) => edit(file, { version: 2 }), /another version/],
  'of another server': [(file) => edit(file, { key: 'x' }), /another server/],
  'without a time': [(file) => edit(file, { listedAt: 'now' }), /a part of it is missing/],
  'without tools': [(file) => edit(file, { listing: {} }), /a part of it is missing/],
  'with other tools': [
    (file) => edit(file, { listing: { tools: [{ name: 'evil' }] } }),
    /its tools were changed/,
  ],
  'a folder': [
    async (file) => {
      await rm(file);
      await mkdir(file);
    },
    /EISDIR/,
  ],
  'a link to a good one': [
    async (file) => {
      await rename(file, `${file}.moved`);
      await symlink(`${file}.moved`, file);
    },
    /it is a link/,
  ],
  'a pipe': [
    async (file) => {
      await rm(file);
      execFileSync('mkfifo', [file]);
    },
    /it is no regular file/,
  ],
};

async function edit(file: string, changes: object): Promise<void> {
  const value = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...value, ...changes }));
}

for (const [what, [damage, reason]] of Object.entries(damages)) {
  const skip = process.platform === 'win32' && /link|pipe/.test(what) && 'not on Windows';
  test(`a manifest that is ${what} is absent, with a warning`, { skip }, async (context) => {
    const { store, file, warnings } = await saved(context);
    await damage(file);
    assert.equal(await store.load('s', entry), undefined);
    assert.match(warnings.join(), /^The cached tool list of s is not used: /);
    assert.match(warnings.join(), reason);
    if (what === 'a folder') return;
    await store.save('s', entry, manifest);
    assert.deepEqual(plain(await store.load('s', entry)), plain(manifest));
  });
}

test('a manifest with other permissions is read, and private when it is written again', async (context) => {
  if (process.platform === 'win32') return context.skip('no permissions of files');
  const { store, file } = await saved(context);
  await chmod(file, 0o644);
  assert.deepEqual(plain(await store.load('s', entry)), plain(manifest));
  await store.save('s', entry, manifest);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test('a folder that cannot be written is a warning, not an error', async (context) => {
  const { folder, store, warnings } = await saved(context);
  // A file in the way fails for every user, also for root, who may write to a read-only folder.
  await rm(folder, { recursive: true });
  await writeFile(folder, '');
  await store.save('s', entry, manifest);
  assert.match(warnings.join(), /^The tool list of s cannot be cached: .*(ENOTDIR|EEXIST)/);
  assert.equal(await store.load('s', entry), undefined);
});

test('a tool list with a secret of the entry is not written', async (context) => {
  const { store, folder, warnings } = await saved(context);
  const tools = [{ name: 'a', description: 'Uses hunter2-hunter2.' }];
  const leaking = manifestOf({ tools, duplicates: [], warnings: [] }, undefined, 1);
  await store.save('other', entry, leaking);
  assert.equal((await readdir(folder)).length, 1);
  assert.match(warnings.join(), /contains a secret/);
});

test('each class of capabilities has a manifest of its own', async (context) => {
  const { store } = await saved(context);
  const asked = { elicitation: { form: {} }, roots: {} };
  assert.equal(await store.load('s', entry, asked), undefined);
  await store.save('s', entry, manifestWith(5), asked);
  const countFor = async (capabilities?: object) =>
    (await store.load('s', entry, capabilities))?.listing.tools.length;
  assert.equal(await countFor({ roots: {}, elicitation: { form: {} } }), 5);
  assert.equal(await countFor({}), 3);
  assert.equal(await countFor(), 3);
  assert.equal(await countFor({ elicitation: { form: {}, url: {} } }), undefined);
});

test('two threads write one manifest at once: it can always be read', async (context) => {
  const { folder, store, warnings } = await saved(context);
  const source = `const { workerData } = require('node:worker_threads');
    import(workerData.store).then(async ({ manifestFiles }) => {
      const store = manifestFiles({ folder: workerData.folder });
      for (let round = 0; round < 100; round += 1) {
        await store.save('s', workerData.entry, workerData.manifests[round % 2]);
      }
    });`;
  const manifests = [manifestWith(1), manifestWith(2000)];
  const workerData = { store: import.meta.resolve('./manifest.ts'), folder, entry, manifests };
  let running = 2;
  for (let n = 0; n < 2; n += 1) {
    new Worker(source, { eval: true, workerData }).on('exit', () => {
      running -= 1;
    });
  }
  let reads = 0;
  for (; running > 0; reads += 1) {
    assert.ok(await store.load('s', entry));
    await new Promise(setImmediate);
  }
  assert.ok(reads > 10);
  assert.deepEqual(warnings, []);
  assert.equal((await readdir(folder)).length, 1, 'a temporary file is left');
});
