import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { LoginStore, type StoredLogin } from './login-store.ts';

const issuer = 'https://login.example.com';
const owner = { server: 'vault', url: 'https://mcp.example.com/mcp' };
const login: StoredLogin = {
  client: { client_id: 'c', issuer },
  tokens: { access_token: 'access-1', token_type: 'Bearer', refresh_token: 'refresh-1', issuer },
  receivedAt: 1,
  discovery: { authorizationServerUrl: issuer },
};

async function folderOf(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-store-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'logins');
}

function open(folder: string, warnings: string[] = [], clientId?: string): LoginStore {
  const onWarning = (warning: string): void => void warnings.push(warning);
  return new LoginStore(clientId === undefined ? owner : { ...owner, clientId }, {
    folder,
    onWarning,
  });
}

test('a login is kept in a file that only the user can read', async (context) => {
  const folder = await folderOf(context);
  const store = open(folder);
  assert.deepEqual(await store.read(), {});
  assert.equal(await store.write(login), true);
  assert.deepEqual(await open(folder).read(), login);
  if (process.platform !== 'win32') {
    assert.equal((await stat(store.file)).mode & 0o777, 0o600);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  }
  assert.equal(await store.remove(), true);
  assert.equal(await store.remove(), false);
  assert.deepEqual(await readdir(folder), []);
});

test('a recent login is not read from the file again, except after a change', async (context) => {
  const folder = await folderOf(context);
  let passed = 0;
  const now = performance.now.bind(performance);
  context.mock.method(performance, 'now', () => now() + passed);
  const store = open(folder);
  assert.deepEqual(await store.readRecent(), {});
  // Another store of this process.
  await open(folder).write(login);
  assert.deepEqual(await store.readRecent(), login);
  const other = { ...login, receivedAt: 2 };
  const asAnotherProcess = JSON.stringify({ version: 1, ...owner, ...other });
  await writeFile(store.file, asAnotherProcess);
  assert.deepEqual(await store.readRecent(), login);
  passed = 1000;
  assert.deepEqual(await store.readRecent(), other);
  await open(folder).remove();
  assert.deepEqual(await store.readRecent(), {});
  await writeFile(store.file, asAnotherProcess);
  // `read` is always current, and what it found is recent.
  assert.deepEqual(await store.read(), other);
  assert.deepEqual(await store.readRecent(), other);
});

test('promise 57: each server and each url has its own file', async (context) => {
  const folder = await folderOf(context);
  const owners = [owner, { ...owner, server: 'other' }, { ...owner, url: `${owner.url}/2` }];
  const files = owners.map((each) => new LoginStore(each, { folder }).file);
  assert.equal(new Set(files).size, 3);
  for (const file of files) assert.match(file, /[\da-f]{32}\.json$/);
});

const sound = { version: 1, ...owner, ...login };

/** Texts of files, and the warning about each. */
const texts: readonly (readonly [name: string, text: string, warning: RegExp])[] = [
  ['empty', '', /damaged/],
  ['cut off', JSON.stringify(sound).slice(0, -20), /damaged/],
  ['a list', '[]', /damaged/],
  ['null', 'null', /damaged/],
  ['no version', JSON.stringify({ ...sound, version: undefined }), /damaged/],
  ['a newer version', JSON.stringify({ version: 2, tokens: 7 }), /newer version of Toolfold/],
  ['another server', JSON.stringify({ ...sound, server: 'other' }), /another server/],
  ['another url', JSON.stringify({ ...sound, url: 'https://x.example.com' }), /another server/],
  ['tokens of another kind', JSON.stringify({ ...sound, tokens: 'x' }), /damaged/],
  ['no access token', JSON.stringify({ ...sound, tokens: { issuer } }), /damaged/],
  ['a time as text', JSON.stringify({ ...sound, receivedAt: '1' }), /damaged/],
  ['half a pending login', JSON.stringify({ ...sound, pending: { state: 'x' } }), /damaged/],
  [
    'metadata without a token endpoint',
    JSON.stringify({
      ...sound,
      discovery: { authorizationServerUrl: issuer, authorizationServerMetadata: { issuer } },
    }),
    /damaged/,
  ],
  [
    'tokens of another issuer',
    JSON.stringify({ ...sound, discovery: { authorizationServerUrl: 'https://evil.example.com' } }),
    /mixes several issuers/,
  ],
  [
    'a client of another issuer',
    JSON.stringify({ ...sound, client: { client_id: 'c', issuer: 'https://evil.example.com' } }),
    /mixes several issuers/,
  ],
];

describe('a file that holds no login for this server', () => {
  for (const [name, text, expected] of texts) {
    test(`promise 57: ${name}`, async (context) => {
      const folder = await folderOf(context);
      const warnings: string[] = [];
      const store = open(folder, warnings);
      await mkdir(dirname(store.file), { recursive: true });
      await writeFile(store.file, text);
      assert.deepEqual(await store.read(), {});
      assert.deepEqual(await store.read(), {});
      assert.equal(warnings.length, 1, 'each warning is given once');
      assert.match(warnings[0] ?? '', /^The login of vault cannot be used: /);
      assert.match(warnings[0] ?? '', expected);
      assert.doesNotMatch(warnings.join(), /access-1|refresh-1/);
      assert.equal(await store.write(login), true);
      assert.deepEqual(await store.read(), login);
    });
  }

  test('a folder in its place', async (context) => {
    const folder = await folderOf(context);
    const warnings: string[] = [];
    const store = open(folder, warnings);
    await mkdir(store.file, { recursive: true });
    assert.deepEqual(await store.read(), {});
    assert.match(warnings.join(), /cannot be read \(EISDIR/);
  });

  test('another client id in the configuration', async (context) => {
    const folder = await folderOf(context);
    await open(folder).write(login);
    const warnings: string[] = [];
    assert.deepEqual(await open(folder, warnings, 'other').read(), {});
    assert.match(warnings.join(), /another client id/);
    assert.deepEqual(await open(folder, [], 'c').read(), login);
  });
});

test('what cannot be saved is kept for this process, until it can be saved', async (context) => {
  const folder = await folderOf(context);
  const warnings: string[] = [];
  const store = open(folder, warnings);
  // A folder in place of the file: it cannot be replaced, also not by an administrator.
  await mkdir(join(store.file, 'full'), { recursive: true });
  assert.equal(await store.write(login), false);
  assert.deepEqual(await open(folder).read(), login);
  assert.match(warnings.join(), /could not be saved and ends with this process/);
  await rm(store.file, { recursive: true });
  assert.equal(await store.write(login), true);
  await store.remove();
  assert.deepEqual(await open(folder).read(), {});
});
