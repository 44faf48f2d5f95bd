import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { home, trustFolder } from '../../test/cli/process.test-support.ts';
import { configOf, Journal } from '../../test/servers/scripted-server.test-support.ts';
import { Keys } from '../models/model.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { EditorSession } from './editor-session.ts';
import type { EditorClient } from './outlet.ts';

const terminal: Terminal = {
  out: () => assert.fail('stdout is for the protocol'),
  note: () => {},
  style: (_, text) => text,
  isInteractive: false,
  overwrite: () => {},
};

test('a question to a slow editor comes behind all that was said before', async (context) => {
  const folder = await home(context);
  for (const name of ['HOME', 'USERPROFILE', 'XDG_CACHE_HOME']) {
    const before = process.env[name];
    process.env[name] = folder;
    context.after(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
  const journal = await Journal.open(context);
  const entry = journal.entry('files', [{ name: 'write_note' }]);
  await writeFile(join(folder, 'toolfold.json'), configOf({ files: entry }));
  trustFolder(folder);
  const script = [
    { text: 'One two three.', chunkSize: 1, calls: [{ name: 'files__write_note', arguments: {} }] },
    { text: 'Done.' },
  ];
  await using model = await startModelServer({ script });
  const seen: string[] = [];
  const client: EditorClient = {
    capabilities: {},
    async update(_, { sessionUpdate }) {
      if (sessionUpdate === 'usage_update') return;
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      if (seen.at(-1) !== sessionUpdate) seen.push(sessionUpdate);
    },
    async askPermission() {
      seen.push('question');
      return { outcome: { outcome: 'selected', optionId: 'once' } };
    },
    elicit: () => Promise.reject(new Error('nobody is asked')),
  };
  const flags = { model: 'local/any', baseUrl: model.baseUrl('openai-chat') };
  const signal = new AbortController().signal;
  const session = await EditorSession.open(
    { store: memoryStore(), flags, client, terminal, signal, keys: new Keys({}) },
    { sessionId: 'session', cwd: folder },
    false,
  );
  context.after(() => session.close());
  const { stopReason } = await session.prompt([{ type: 'text', text: 'Write' }], signal);
  assert.equal(stopReason, 'end_turn');
  assert.deepEqual(seen, [
    'agent_message_chunk',
    'tool_call',
    'question',
    'tool_call_update',
    'agent_message_chunk',
    'session_info_update',
  ]);
});
