// test: slow
import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createSession, sqliteStore } from '../../src/sessions.ts';
import { checkSessions, type Finding } from '../../src/sqlite/check-sessions.ts';
import { Database } from '../../src/sqlite/database.ts';

const listener = { onMessage: () => {}, onLost: () => {} };

/** A folder with two sessions, of which one is a subagent's. */
async function folderWithSessions(context: TestContext): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(parent, { recursive: true }));
  const folder = join(parent, 'sessions');
  const store = await sqliteStore({ folder });
  for (const options of [{ id: 'top' }, { id: 'child', parent: 'top' }]) {
    const session = await createSession(store, options);
    await session.begin(listener);
    await session.append(
      Array.from({ length: 50 }, (_, at) => ({
        kind: 'user',
        body: { text: `word${at} `.repeat(50) },
      })),
      new Map([['0'.repeat(64), 'a text']]),
    );
    await session.end();
  }
  await store.close();
  return folder;
}

const states = (findings: readonly Finding[]): Record<string, string> =>
  Object.fromEntries(findings.map(({ check, state }) => [check, state]));

const well = {
  permissions: 'ok',
  version: 'ok',
  mode: 'ok',
  integrity: 'ok',
  entries: 'ok',
  'unused rows': 'ok',
  parents: 'ok',
};

function change(folder: string, ...statements: readonly string[]): void {
  const database = new Database(join(folder, 'sessions.db'));
  for (const statement of statements) database.execute(statement);
  database.close();
}

test('a file that is well', async (context) => {
  const folder = await folderWithSessions(context);
  const findings = await checkSessions({ folder });
  assert.deepEqual(states(findings), well);
  assert.match(JSON.stringify(findings), /2 sessions can be read whole \(entries: 100\)/);
});

test('a folder without a file stays as it is', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true }));
  assert.deepEqual(states(await checkSessions({ folder })), { file: 'ok' });
  assert.deepEqual(states(await checkSessions({ folder: join(folder, 'none') })), { file: 'ok' });
  assert.deepEqual(await readdir(folder), []);
});

test('a file in place of the folder is a problem', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'file'), '');
  const found = await checkSessions({ folder: join(folder, 'file') });
  assert.deepEqual(states(found), { folder: 'problem' });
  assert.match(found[0]?.text ?? '', /cannot be read: ENOTDIR/);
});

test('permissions are repaired', { skip: process.platform === 'win32' }, async (context) => {
  const folder = await folderWithSessions(context);
  const file = join(folder, 'sessions.db');
  await chmod(folder, 0o755);
  await chmod(file, 0o644);
  const found = await checkSessions({ folder });
  assert.deepEqual(states(found), { ...well, permissions: 'problem' });
  assert.match(found[0]?.remedy ?? '', /repair/);
  const repaired = await checkSessions({ folder, repair: true });
  assert.deepEqual(states(repaired), { ...well, permissions: 'repaired' });
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test('rows that no session has are named, and removed by a repair', async (context) => {
  const folder = await folderWithSessions(context);
  change(
    folder,
    "INSERT INTO text (address, checksum, json) VALUES ('a', 0, '0'), ('b', 0, '0')",
    "INSERT INTO entry (branch, seq, id, kind, at, checksum, json) VALUES (99, 1, 'e', 'user', 0, 0, '{}')",
  );
  const find = (findings: readonly Finding[]) =>
    findings.find(({ check }) => check === 'unused rows');
  const [text, entry] = ['2 texts that no entry has', '1 entry that no session has'];
  assert.match(
    find(await checkSessions({ folder }))?.text ?? '',
    new RegExp(`${entry} and ${text}`),
  );
  assert.equal(find(await checkSessions({ folder, repair: true }))?.state, 'repaired');
  assert.deepEqual(states(await checkSessions({ folder })), well);
});

test('a session without its parent is named and kept', async (context) => {
  const folder = await folderWithSessions(context);
  change(folder, "UPDATE session SET id = 'other' WHERE id = 'top'");
  const found = await checkSessions({ folder, repair: true });
  assert.deepEqual(states(found), { ...well, parents: 'problem' });
  assert.match(found.at(-1)?.text ?? '', /The parent of 1 session is gone: child\./);
});

test('changed and missing entries are problems', async (context) => {
  const folder = await folderWithSessions(context);
  change(
    folder,
    "UPDATE entry SET json = '{}' WHERE seq = 7 AND branch = (SELECT number FROM session WHERE id = 'top')",
    'DELETE FROM entry WHERE number = 99',
  );
  const found = await checkSessions({ folder });
  assert.deepEqual(states(found), { ...well, entries: 'problem' });
  const text = found.find(({ check }) => check === 'entries')?.text ?? '';
  assert.match(text, /"top" .* destroyed entry 7, .*"child" .* destroyed entry 49, [^;]*\.$/);
});

test('a damaged file and one that is no database are problems, and are not changed', async (context) => {
  const folder = await folderWithSessions(context);
  const file = join(folder, 'sessions.db');
  const bytes = await readFile(file);
  const damaged = Buffer.from(bytes);
  damaged.fill(0x5a, 4096, damaged.length - 4096);
  for (const content of [damaged, Buffer.from('not a database'.repeat(100))]) {
    await writeFile(file, content);
    for (const repair of [false, true]) {
      const found = await checkSessions({ folder, repair });
      const problem = found.find(({ state }) => state === 'problem');
      assert.match(problem?.text ?? '', /is damaged: .*can be read/);
      assert.match(problem?.remedy ?? '', /sqlite3 ".*sessions\.db" "\.recover"/);
    }
    assert.ok((await readFile(file)).equals(content));
  }
});

test('a newer file is not opened', async (context) => {
  const folder = await folderWithSessions(context);
  const file = join(folder, 'sessions.db');
  const bytes = await readFile(file);
  bytes.writeUInt32BE(99, 60);
  await writeFile(file, bytes);
  const files = (await readdir(folder)).toSorted();
  const found = await checkSessions({ folder, repair: true });
  assert.deepEqual(states(found), { permissions: 'ok', version: 'problem' });
  assert.match(found[1]?.text ?? '', /newer version .*99/);
  assert.match(found[1]?.remedy ?? '', /^Update Toolfold/);
  assert.ok((await readFile(file)).equals(bytes));
  assert.deepEqual((await readdir(folder)).toSorted(), files);
});

test('an older file is a note', async (context) => {
  const folder = await folderWithSessions(context);
  change(folder, 'PRAGMA user_version = 0', 'PRAGMA journal_mode = DELETE');
  const found = await checkSessions({ folder });
  assert.deepEqual(states(found), {
    ...{ permissions: 'ok', mode: 'note', integrity: 'ok', version: 'note' },
  });
});
