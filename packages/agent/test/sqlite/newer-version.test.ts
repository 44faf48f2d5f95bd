import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Database } from '../../src/sqlite/database.ts';
import { KNOWN_VERSION } from '../../src/sqlite/migrations.ts';
import { knownSessions } from '../../src/sqlite/open-file.ts';
import { sqliteStore } from '../../src/sqlite/sqlite-store.ts';
import { newFolder } from './folder.test-support.ts';

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
