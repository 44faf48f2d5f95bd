import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { textsOf, Writer } from '../../testing/store-cases/writer.ts';
import { newFolder } from './folder.test-support.ts';
import { knownSessions } from './open-file.ts';
import { sqliteStore } from './sqlite-store.ts';
import { Database, KNOWN_VERSION, MIGRATIONS } from './tables/index.ts';

/** A file as the first version writes it: a session with an entry, a lease and two messages. */
async function oldFile(context: TestContext): Promise<string> {
  const folder = await newFolder(context);
  const store = await sqliteStore({ folder: join(folder, 'new') });
  const writer = await Writer.of(store, { id: 'one' });
  await writer.say('a');
  await store.post('one', { id: 'm', kind: 'answer', body: { a: 1 } });
  await store.close();
  const database = new Database(join(folder, 'new', 'sessions.db'));
  const old = new Database(join(folder, 'sessions.db'));
  old.execute(MIGRATIONS[0] ?? '');
  for (const table of ['session', 'entry', 'inbox', 'new_words'])
    for (const row of database.all<Record<string, string>>(`SELECT * FROM ${table}`)) {
      const { at, ...rest } = row;
      const kept = Object.entries(table === 'inbox' ? rest : row);
      const values = kept.map(([key, value]) => (key === 'owner' ? withoutMoment(value) : value));
      const names = kept.map(([key]) => key);
      old.run(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?')})`, ...values);
    }
  old.pragma('user_version = 1');
  database.close();
  old.close();
  return folder;
}

function withoutMoment(owner: string): string {
  const { renewed: _, ...rest } = JSON.parse(owner);
  return JSON.stringify(rest);
}

test('a file of the first version is brought to the present one, with its lease and messages', async (context) => {
  const folder = await oldFile(context);
  const store = await sqliteStore({ folder });
  context.after(() => store.close());
  assert.deepEqual(await textsOf(store, 'one'), ['a']);
  const owner = (await store.holder('one')) ?? assert.fail();
  const lease = await store.acquire('one', owner);
  const { messages } = await store.look(lease);
  // Nobody knows when it was posted: it is an answer to no question.
  assert.deepEqual(messages, [{ id: 'm', kind: 'answer', body: { a: 1 }, at: 0 }]);
  const { leaf: parent } = (await store.get('one')) ?? assert.fail();
  const next = { id: 'b', parent, seq: 2, kind: 'user', body: { text: 'b' }, at: 1 };
  await store.append([next], { lease, taken: ['m'] });
  assert.deepEqual((await store.look(lease)).messages, []);
  await store.watch('one');
  await store.show(lease, { text: 'x' });
  assert.deepEqual(await store.watch('one'), { text: 'x' });
});

test('a damaged file of the first version is read as well, and keeps its version', async (context) => {
  const folder = await oldFile(context);
  const file = join(folder, 'sessions.db');
  const bytes = readFileSync(file);
  // The root page of the table of messages, which is not read.
  const old = new Database(file);
  const sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'inbox'";
  const { rootpage = 0 } = old.get<{ rootpage: number }>(sql) ?? {};
  old.close();
  bytes.fill(0, (rootpage - 1) * 4096, rootpage * 4096);
  writeFileSync(file, bytes);
  const warnings: string[] = [];
  const store = await sqliteStore({ folder, onWarning: (text) => warnings.push(text) });
  assert.equal(warnings.length, 1);
  assert.deepEqual(await textsOf(store, 'one'), ['a']);
  await store.close();
  assert.ok(readFileSync(file).equals(bytes));
});

test('suggestions leave a file of a newer version closed', async (context) => {
  const folder = await newFolder(context);
  const store = await sqliteStore({ folder });
  await store.create({ id: 's', createdAt: 1 });
  assert.deepEqual(
    knownSessions(folder).map(({ id }) => id),
    ['s'],
  );
  await store.close();
  const database = new Database(join(folder, 'sessions.db'));
  database.pragma(`user_version = ${KNOWN_VERSION + 1}`);
  database.close();
  assert.throws(() => knownSessions(folder), { code: 'session-newer' });
});
