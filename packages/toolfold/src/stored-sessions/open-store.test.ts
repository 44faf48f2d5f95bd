import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createSession } from '@toolfold/agent/internal/sessions/session.ts';
import { Unwritten } from '../terminal/terminal.ts';
import { openStore } from './open-store.ts';

test('what cannot be written yet is announced, and that it was written', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-store-'));
  const before = process.env.TOOLFOLD_SESSIONS;
  process.env.TOOLFOLD_SESSIONS = folder;
  const late = Promise.withResolvers<void>();
  const notes: string[] = [];
  const note = (text: string) => {
    notes.push(text);
    late.resolve();
  };
  const store = await openStore({ note }, new Unwritten());
  context.after(async () => {
    await store.close();
    if (before === undefined) delete process.env.TOOLFOLD_SESSIONS;
    else process.env.TOOLFOLD_SESSIONS = before;
    await rm(folder, { recursive: true });
  });
  const session = await createSession(store);
  await session.begin({ onMessage: () => {}, onLost: () => {} });
  const other = new DatabaseSync(join(folder, 'sessions.db'));
  other.exec('BEGIN IMMEDIATE');
  const written = session.append([{ kind: 'turn', body: {} }]);
  await late.promise;
  assert.match(notes.join(), /^The sessions cannot be written at present: the disk may be full/);
  other.exec('ROLLBACK');
  other.close();
  await written;
  assert.equal(notes[1], 'The sessions are written again.');
  await session.end();
});
