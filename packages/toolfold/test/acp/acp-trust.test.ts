import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { editorScene, limited } from './acp.test-support.ts';

test(
  'promise 78: without an answer nothing of the project starts, and the turn goes on; servers of the editor need none',
  limited,
  async (context) => {
    const { connect, journal } = await editorScene(context, () => ({ text: 'Yes.' }));
    const answer = Promise.withResolvers<string>();
    const editor = await connect({ isTrusted: false, answer: () => answer.promise });
    const entry = journal.entry('mine', [{ name: 'a' }]) as { command: string; args: string[] };
    const { sessionId } = await editor.agent.request('session/new', {
      cwd: editor.folder,
      mcpServers: [{ name: 'mine', ...entry, env: [] }],
    });
    await editor.until(() => editor.asked.length === 1);
    await journal.until('start mine');
    assert.equal(await editor.say(sessionId, 'Hello'), 'end_turn');
    assert.deepEqual(journal.lines, ['start mine']);
    answer.resolve('once');
    await journal.until('start files');
    await editor.kill();
  },
);

for (const isRelative of [true, false])
  test(
    `promise 78: a standing --config is a yes to one file, and not to one of each folder: relative ${isRelative}`,
    limited,
    async (context) => {
      const { folder, connect, journal } = await editorScene(context, () => ({ text: 'Yes.' }));
      const file = 'toolfold.json';
      const flags = ['--config', isRelative ? file : join(folder, file)];
      const editor = await connect({ isTrusted: false, flags, answer: async () => 'reject' });
      const { sessionId } = await editor.agent.request('session/new', {
        cwd: editor.folder,
        mcpServers: [],
      });
      if (isRelative) await editor.until(() => editor.asked.length === 1);
      else await journal.until('start files');
      assert.equal(await editor.say(sessionId, 'Hello'), 'end_turn');
      assert.deepEqual(journal.lines, isRelative ? [] : ['start files']);
      assert.equal(editor.asked.length, isRelative ? 1 : 0);
      await editor.kill();
    },
  );
