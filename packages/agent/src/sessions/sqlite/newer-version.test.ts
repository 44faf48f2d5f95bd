import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { newFolder } from './folder.test-support.ts';
import { knownSessions } from './open-file.ts';
import { sqliteStore } from './sqlite-store.ts';
import { Database, KNOWN_VERSION } from './tables/index.ts';

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
