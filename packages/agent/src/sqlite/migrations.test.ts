import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { newFolder } from '../../test/sqlite/folder.test-support.ts';
import { Database } from './database.ts';
import { MIGRATIONS, migrate, versionOf } from './migrations.ts';
import { sqliteStore } from './sqlite-store.ts';

const STEPS = [
  'CREATE TABLE a (b TEXT) STRICT;',
  "ALTER TABLE a ADD COLUMN c TEXT DEFAULT 'new';",
  'CREATE TABLE d (e TEXT) STRICT;',
];

describe('versions of the file', () => {
  test('an empty file gets all tables', async (context) => {
    const database = new Database(join(await newFolder(context), 'a.db'));
    context.after(() => database.close());
    assert.equal(versionOf(database), 0);
    migrate(database);
    assert.equal(versionOf(database), MIGRATIONS.length);
    const tables = database.all<{ name: string; strict: number }>(
      "SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    );
    assert.ok(tables.length >= 7);
    assert.ok(tables.every(({ strict }) => strict === 1));
    migrate(database);
  });

  test('an older file gets the steps that it lacks, and keeps its rows', async (context) => {
    const database = new Database(join(await newFolder(context), 'a.db'));
    context.after(() => database.close());
    migrate(database, STEPS.slice(0, 1));
    database.run("INSERT INTO a VALUES ('old')");
    migrate(database, STEPS);
    assert.equal(versionOf(database), 3);
    assert.deepEqual({ ...database.get<object>('SELECT * FROM a') }, { b: 'old', c: 'new' });
    assert.deepEqual(database.all('SELECT * FROM d'), []);
  });

  test('a step that fails leaves the file as it was', async (context) => {
    const database = new Database(join(await newFolder(context), 'a.db'));
    context.after(() => database.close());
    migrate(database, STEPS.slice(0, 1));
    assert.throws(() => migrate(database, [...STEPS, 'CREATE nonsense']));
    assert.equal(versionOf(database), 1);
    assert.throws(() => database.all('SELECT * FROM d'));
  });
});

test('a file of version 1 knows when its tools ran last', async (context) => {
  const folder = await newFolder(context);
  const database = new Database(join(folder, 'sessions.db'));
  migrate(database, MIGRATIONS.slice(0, 1));
  const add = (seq: number, kind: string, json: string) =>
    database.run(
      'INSERT INTO entry (branch, seq, id, kind, at, checksum, json) VALUES (1, ?, ?, ?, ?, 0, ?)',
      ...[seq, `e${seq}`, kind, seq * 100, json],
    );
  add(1, 'start', '{"id":"c1","name":"a__list"}');
  add(2, 'start', '{"id":"c2","name":"a__list"}');
  add(3, 'call', '{"id":"c3","name":"a__list"}');
  add(4, 'start', '{"id": damaged');
  database.close();
  await using store = await sqliteStore({ folder });
  assert.deepEqual(await store.lastRuns?.(), new Map([['a__list', 200]]));
});
