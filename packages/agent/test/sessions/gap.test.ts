import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportSession } from '../../src/sessions/export-session.ts';
import { importSession } from '../../src/sessions/import-session.ts';
import { newOwner } from '../../src/sessions/lease.ts';
import { forkSession, openSession } from '../../src/sessions/session.ts';
import { MISSING_ENTRY, type SessionStore } from '../../src/sessions/store.ts';
import { memoryStore } from '../../src/sqlite/sqlite-store.ts';

const entryOf = (seq: number, kind: string) => {
  const parent = seq === 1 ? null : String(seq - 1);
  return { id: String(seq), parent, seq, kind, body: {}, at: seq };
};

/** A store with a session whose third and fourth entries are lost. */
async function withGap(): Promise<SessionStore> {
  const store = memoryStore();
  await store.create({ id: 's', createdAt: 1 });
  const lease = await store.acquire('s', newOwner());
  const kinds = ['user', 'model', MISSING_ENTRY, MISSING_ENTRY, 'user'];
  await store.append(
    kinds.map((kind, n) => entryOf(n + 1, kind)),
    { lease },
  );
  await store.release(lease);
  return store;
}

async function append(store: SessionStore, id: string): Promise<void> {
  const session = await openSession(store, id);
  await session.begin({ onMessage: () => {}, onLost: (error) => assert.fail(String(error)) });
  await session.append([{ kind: 'user', body: {} }]);
  await session.end();
}

test('a session with a gap is read, and refused to those who would continue it', async () => {
  const store = await withGap();
  const session = await openSession(store, 's');
  assert.equal(session.entries.length, 5);
  const refusal = { code: 'session-damaged', message: /"s" .*entry 3, .*fork it at entry 2/ };
  await assert.rejects(append(store, 's'), refusal);
  assert.equal(await store.holder('s'), undefined);
  assert.equal((await store.get('s'))?.seq, 5);
});

test('a fork before a gap continues, and one behind it does not', async () => {
  const store = await withGap();
  const session = await openSession(store, 's');
  for (const at of [3, 4])
    await assert.rejects(forkSession(session, at), { code: 'session-damaged' });
  for (const at of [undefined, 5])
    await assert.rejects(append(store, (await forkSession(session, at)).id), {
      code: 'session-damaged',
    });
  const fork = await forkSession(session, 2);
  await append(store, fork.id);
  assert.equal((await store.get(fork.id))?.seq, 3);
});

test('an export keeps a gap', async () => {
  const store = await withGap();
  const other = memoryStore();
  const id = await importSession(other, exportSession(await openSession(store, 's')));
  await assert.rejects(append(other, id), { code: 'session-damaged' });
});
